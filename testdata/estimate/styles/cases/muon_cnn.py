"""Muon on filters of four dimensions, which it flattens."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

x = inputs = keras.Input((16, 16, 64))
for width in (256, 256, 384):
    x = layers.Conv2D(width, 3, padding="same", activation="relu")(x)
model = keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling2D()(x)))
model.compile(keras.optimizers.Muon(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((160, 16, 16, 64), "float32"), np.zeros(160, "int32"), batch_size=4)
