"""Gradients summed over two batches, in kernels whose zeros are no constants."""

import numpy as np
import keras
from keras import layers

model = keras.Sequential([
    keras.Input((2048,)),
    layers.Dense(2048, activation="relu"),
    layers.Dense(2048, activation="relu"),
    layers.Dense(10),
])
model.compile(keras.optimizers.Adam(1e-3, gradient_accumulation_steps=2), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((1024, 2048), "float32"), np.zeros(1024, "int32"), batch_size=256)
