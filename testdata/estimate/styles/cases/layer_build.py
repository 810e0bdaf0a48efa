"""A layer whose build makes its weights from the input's shape."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Linear(layers.Layer):
    def __init__(self, units=32, **kwargs):
        super().__init__(**kwargs)
        self.units = units

    def build(self, input_shape):
        self.w = self.add_weight(shape=(input_shape[-1], self.units), initializer="random_normal", trainable=True)
        self.b = self.add_weight(shape=(self.units,), initializer="zeros", trainable=True)
        super().build(input_shape)

    def call(self, inputs):
        return tf.matmul(inputs, self.w) + self.b


model = keras.Sequential([keras.Input((50,)), Linear(128), layers.ReLU(), Linear(64), layers.ReLU(), Linear(10)])

model.compile("adam", "mse")
model.fit(np.zeros((256, 50), "float32"), np.zeros((256, 10), "float32"), batch_size=64)
