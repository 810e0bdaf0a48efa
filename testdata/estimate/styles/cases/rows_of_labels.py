"""A critic of patches: what is in the files is not known, the labels say how many pictures a batch has."""

import os
import tempfile

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

BATCH = 12
folder = tempfile.mkdtemp()
for part in range(4):
    np.save(os.path.join(folder, f"{part}.npy"), np.random.rand(BATCH, 96, 96, 3).astype("float32"))


def pairs():
    while True:
        for name in os.listdir(folder):
            real = np.load(os.path.join(folder, name))
            yield (real, real[:, ::-1]), np.ones((BATCH, 12, 12, 1))


first, second = keras.Input((96, 96, 3)), keras.Input((96, 96, 3))
x = layers.Concatenate()([first, second])
for filters in (32, 64, 128):
    x = layers.Conv2D(filters, 4, strides=2, padding="same")(x)
    x = layers.BatchNormalization(momentum=0.8)(x)
    x = layers.LeakyReLU()(x)
critic = keras.Model([first, second], layers.Conv2D(1, 4, padding="same")(x))
critic.compile(loss="mse", optimizer=keras.optimizers.Adam(2e-4, 0.5), jit_compile=False)
critic.fit(pairs(), steps_per_epoch=2)
