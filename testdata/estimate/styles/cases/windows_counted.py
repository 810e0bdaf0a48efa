"""Windows of a series of unknown length, whose ends are counted by hand and have names."""

import os

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

table = np.array(list(os.urandom(1400 * 12)), dtype="float32").reshape(-1, 12)


def to_supervised(table, n_input, n_out=14):
    inputs, targets = [], []
    start = 0
    for _ in range(len(table)):
        end = start + n_input
        out_end = end + n_out
        if out_end <= len(table):
            inputs.append(table[start:end, :])
            targets.append(table[end:out_end, 0])
        start += 1
    return np.array(inputs), np.array(targets)


x, y = to_supervised(table, 120)
model = keras.Sequential(
    [
        layers.Input((x.shape[1], x.shape[2])),
        layers.Conv1D(96, 5, activation="relu"),
        layers.Conv1D(96, 5, activation="relu"),
        layers.MaxPooling1D(2),
        layers.Flatten(),
        layers.Dense(200, activation="relu"),
        layers.Dense(y.shape[1]),
    ]
)
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, epochs=1, batch_size=64)
