"""Layers that look at the type of what they are called with, and cells that a model steps
through by itself, from states that are eager tensors."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Mask(layers.Layer):
    """What a capsule network is decoded from: all capsules but one are zeros."""

    def call(self, inputs):
        if type(inputs) is list:
            inputs, mask = inputs
        elif type(inputs) in (tuple, dict):
            raise TypeError("a tensor, or a list of two")
        else:
            lengths = tf.sqrt(tf.reduce_sum(tf.square(inputs), -1))
            mask = tf.one_hot(tf.argmax(lengths, 1), depth=lengths.shape[1])
        return tf.reshape(inputs * tf.expand_dims(mask, -1), (-1, 10 * 16))


digits = keras.Input((10, 16), batch_shape=None)
labels = keras.Input((10,))
hidden = layers.Dense(64, activation="relu")
decoder = layers.Dense(784, activation="sigmoid")
trained = keras.Model([digits, labels], decoder(hidden(Mask()([digits, labels]))))
predicts = keras.Model(digits, decoder(hidden(Mask()(digits))))


class Stepped(keras.Model):
    def __init__(self, units, batch):
        super().__init__()
        self.first = [tf.zeros([batch, units])]
        self.second = [tf.zeros([batch, units]), tf.zeros([batch, units])]
        self.embedding = layers.Embedding(1000, 24)
        self.gru = layers.GRUCell(units)
        self.lstm = layers.LSTMCell(units)
        self.outlayer = layers.Dense(1)

    def call(self, inputs, training=None):
        x = self.embedding(inputs)
        first, second = self.first, self.second
        for word in tf.unstack(x, axis=1):
            out, first = self.gru(word, first, training)
            out, second = self.lstm(out, second, training)
        return self.outlayer(out)


stepped = Stepped(32, 16)
stepped(tf.zeros((16, 12), "int32"))
