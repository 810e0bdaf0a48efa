"""Token and position embeddings, the positions a range of the input's length."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Positions(layers.Layer):
    def __init__(self, length, words, width):
        super().__init__()
        self.token = layers.Embedding(words, width)
        self.position = layers.Embedding(length, width)

    def call(self, x):
        length = tf.shape(x)[-1]
        return self.token(x) + self.position(tf.range(start=0, limit=length, delta=1))


inputs = keras.Input((80,), dtype="int32")
x = Positions(80, 5000, 32)(inputs)
x = layers.Conv1D(32, 5, activation="relu")(x)
x = layers.GlobalMaxPooling1D()(x)
model = keras.Model(inputs, layers.Dense(1)(x))

model.compile("adam", "mse")
model.fit(np.zeros((128, 80), "int32"), np.zeros((128, 1), "float32"), batch_size=32)
