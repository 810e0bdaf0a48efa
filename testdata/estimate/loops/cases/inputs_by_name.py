"""A part of a model that is called by inputs=, as recurrent parts of TimeGAN are."""

import tensorflow as tf
from tensorflow import keras


class Embedder(keras.Model):
    def __init__(self, hidden, layers):
        super().__init__()
        self.rnn = keras.Sequential([keras.Input((24, 32)), *[keras.layers.GRU(hidden, return_sequences=True, use_cudnn=False) for _ in range(layers)]])
        self.linear = keras.layers.Dense(32, activation="sigmoid")

    def call(self, x, training=False):
        return self.linear(self.rnn(inputs=x))


model = Embedder(128, 2)
optimizer = keras.optimizers.Adam()


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = 10.0 * tf.sqrt(tf.reduce_mean(tf.square(x - model(x, training=True))))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for x in tf.data.Dataset.from_tensor_slices(tf.zeros((1280, 24, 32))).batch(128):
    train_step(x)
