"""A small convolutional network with group normalizations, trained eagerly."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    keras.Input((32, 32, 16)),
    layers.Conv2D(32, 3),
    layers.GroupNormalization(8),
    layers.ReLU(),
    layers.Conv2D(32, 3),
    layers.GroupNormalization(groups=-1, scale=False),
    layers.ReLU(),
    layers.Flatten(),
    layers.Dense(3),
])
model.compile("adam", "mse", run_eagerly=True)
model.fit(np.zeros((256, 32, 32, 16), "float32"), np.zeros((256, 3), "float32"), batch_size=32)
