"""A small network of one's own judges the pictures of a decoder, in a step that XLA compiles."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

judge = keras.Sequential([
    keras.Input((32, 32, 1)),
    layers.Conv2D(64, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2D(128, 3, strides=2, padding="same", activation="relu"),
    layers.Flatten(),
    layers.Dense(1024, activation="relu", name="code"),
    layers.Dense(10),
])
code = keras.Model(judge.inputs, judge.get_layer("code").output)
mse = keras.losses.MeanSquaredError()


def judged(y_true, y_pred):
    return mse(code(y_true), code(y_pred))


decoder = keras.Sequential([
    keras.Input((64,)),
    layers.Dense(8 * 8 * 64, activation="relu"),
    layers.Reshape((8, 8, 64)),
    layers.Conv2DTranspose(64, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(1, 3, strides=2, padding="same", activation="sigmoid"),
])
decoder.compile(keras.optimizers.Adam(), loss=judged)
decoder.fit(np.zeros((640, 64), "float32"), np.zeros((640, 32, 32, 1), "float32"), batch_size=64)
