"""A gate of sparsemax, as TabNet has it, which sorts its scores."""
import numpy as np
import tensorflow as tf
from tensorflow import keras


def sparsemax(z):
    ordered = tf.sort(z, axis=-1, direction="DESCENDING")
    k = tf.cast(tf.range(1, tf.shape(z)[-1] + 1), z.dtype)
    support = tf.cast(1 + k * ordered > tf.cumsum(ordered, axis=-1), z.dtype)
    tau = (tf.reduce_sum(ordered * support, axis=-1, keepdims=True) - 1) / tf.reduce_sum(support, axis=-1, keepdims=True)
    return tf.nn.relu(z - tau)


class Gate(keras.Model):
    def __init__(self):
        super().__init__()
        self.scores = keras.layers.Dense(256)
        self.head = keras.layers.Dense(7)

    def call(self, x):
        return self.head(sparsemax(self.scores(x)))


model = Gate()
model.compile("sgd", "mse", jit_compile=False)
model.fit(np.zeros((8192, 200), "float32"), np.zeros((8192, 7), "float32"), batch_size=2048)
