"""Lamb on filters and a wide dense kernel."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

x = inputs = keras.Input((16, 16, 64))
for width in (256, 256):
    x = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
x = layers.Dense(256, activation="relu")(layers.Flatten()(layers.MaxPooling2D(4)(x)))
model = keras.Model(inputs, layers.Dense(10)(x))
model.compile(keras.optimizers.Lamb(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((160, 16, 16, 64), "float32"), np.zeros(160, "int32"), batch_size=8)
