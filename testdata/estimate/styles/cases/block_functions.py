"""Blocks as functions that return functions, and keyword arguments kept in a dictionary."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


COMMON = dict(padding="same", use_bias=False)


def conv_bn(filters, size=3, **kwargs):
    def apply(x):
        x = layers.Conv2D(filters, size, **{**COMMON, **kwargs})(x)
        x = layers.BatchNormalization()(x)
        return layers.Activation("relu")(x)
    return apply


def compose(*steps):
    def apply(x):
        for step in steps:
            x = step(x)
        return x
    return apply


inputs = keras.Input((28, 28, 1))
x = compose(conv_bn(16), conv_bn(32, strides=2), conv_bn(32, size=1), conv_bn(64, strides=2))(inputs)
x = layers.Dropout(0.3)(layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, layers.Dense(10)(x))

model.compile("adam", "mse")
model.fit(np.zeros((64, 28, 28, 1), "float32"), np.zeros((64, 10), "float32"), batch_size=16)
