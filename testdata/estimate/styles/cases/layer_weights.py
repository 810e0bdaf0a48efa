"""Weights made in __init__, one of them not trained, and a keras.Variable."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Gate(keras.Layer):
    def __init__(self, width):
        super().__init__()
        self.scale = self.add_weight(name="scale", shape=(width,), initializer="ones")
        self.count = self.add_weight(name="count", shape=(), initializer="zeros", trainable=False)
        self.shift = keras.Variable(np.zeros((width,), "float32"))
        self.outside = tf.Variable(tf.zeros((width, 3)))

    def call(self, x):
        return keras.ops.sigmoid(x * self.scale + self.shift) * x


inputs = keras.Input((40,))
x = layers.Dense(96)(inputs)
x = Gate(96)(x)
model = keras.Model(inputs, layers.Dense(2)(x))

model.compile("adam", "mse")
model.fit(np.zeros((128, 40), "float32"), np.zeros((128, 2), "float32"), batch_size=32)
