"""Lamb with large activations."""

import numpy as np
import keras
from keras import layers

x = inputs = keras.Input((1024,))
for _ in range(4):
    x = layers.Dense(1024, activation="gelu")(x)
model = keras.Model(inputs, layers.Dense(10)(x))
model.compile(keras.optimizers.Lamb(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((1024, 1024), "float32"), np.zeros(1024, "int32"), batch_size=256)
