"""Batches that a program cuts out of arrays of which only the files know the shapes."""

import os
import tempfile

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

SIZE = 24
folder = tempfile.mkdtemp()
np.save(os.path.join(folder, "signals.npy"), np.random.rand(240, 256, 6).astype("float32"))
np.save(os.path.join(folder, "kinds.npy"), np.random.randint(0, 5, 240))
signals, kinds = np.load(os.path.join(folder, "signals.npy")), np.load(os.path.join(folder, "kinds.npy"))


def batches():
    order = np.arange(len(signals))
    while True:
        np.random.shuffle(order)
        for i in range(len(order) // SIZE):
            part = order[i * SIZE:(i + 1) * SIZE]
            yield signals[part] / 2.0 - 0.5, kinds[part]


model = keras.Sequential([
    keras.Input((256, 6)),
    layers.Conv1D(64, 7, padding="same", activation="relu"),
    layers.MaxPooling1D(2),
    layers.Conv1D(128, 5, padding="same", activation="relu"),
    layers.MaxPooling1D(2),
    layers.GlobalAveragePooling1D(),
    layers.Dense(256, activation="relu"),
    layers.Dense(5, activation="softmax"),
])
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", jit_compile=False)
model.fit(batches(), steps_per_epoch=len(signals) // SIZE)
