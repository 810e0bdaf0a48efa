"""A block as a layer, whose layers build makes."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class SqueezeExcite(layers.Layer):
    def __init__(self, ratio=4, **kwargs):
        super().__init__(**kwargs)
        self.ratio = ratio

    def build(self, input_shape):
        channels = input_shape[-1]
        self.squeeze = layers.Dense(max(channels // self.ratio, 1), activation="relu")
        self.excite = layers.Dense(channels, activation="sigmoid")

    def call(self, x):
        s = tf.reduce_mean(x, axis=[1, 2], keepdims=True)
        return x * self.excite(self.squeeze(s))


def block(x, filters):
    y = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    y = SqueezeExcite()(y)
    return layers.MaxPooling2D()(y)


inputs = keras.Input((32, 32, 3))
x = inputs
for filters in (16, 32, 64):
    x = block(x, filters)
model = keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling2D()(x)))

model.compile("adam", "mse")
model.fit(np.zeros((64, 32, 32, 3), "float32"), np.zeros((64, 10), "float32"), batch_size=16)
