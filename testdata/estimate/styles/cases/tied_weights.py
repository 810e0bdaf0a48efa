"""A decoder that uses the encoder's kernel, transposed."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Tied(layers.Layer):
    def __init__(self, dense, **kwargs):
        super().__init__(**kwargs)
        self.dense = dense

    def build(self, shape):
        self.bias = self.add_weight(shape=(self.dense.kernel.shape[0],), initializer="zeros")

    def call(self, x):
        return tf.matmul(x, self.dense.kernel, transpose_b=True) + self.bias


inputs = keras.Input((100,))
first = layers.Dense(40, activation="relu")
code = first(inputs)
model = keras.Model(inputs, Tied(first)(code))

model.compile("adam", "mse")
model.fit(np.zeros((128, 100), "float32"), np.zeros((128, 100), "float32"), batch_size=32)
