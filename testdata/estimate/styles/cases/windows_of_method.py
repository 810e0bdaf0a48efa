"""A method of a class that cuts windows, with its sizes among the attributes."""

import os

import numpy as np
from tensorflow import keras


class Windows:
    def __init__(self, rows, width, ahead):
        self.rows, self.width, self.ahead = rows, width, ahead

    def cut(self):
        x, y = [], []
        start = 0
        while start < len(self.rows) - self.width - self.ahead:
            stop = start + self.width
            last = stop + self.ahead
            x.append(self.rows[start:stop])
            y.append(self.rows[stop:last, 0])
            start += 1
        return np.asarray(x), np.asarray(y)


rows = np.array(list(os.urandom(800 * 8)), dtype="float32").reshape(-1, 8)
x, y = Windows(rows, 64, 5).cut()
model = keras.Sequential(
    [
        keras.layers.Input(x.shape[1:]),
        keras.layers.Flatten(),
        keras.layers.Dense(1024, activation="relu"),
        keras.layers.Dropout(0.2),
        keras.layers.Dense(512, activation="relu"),
        keras.layers.Dense(y.shape[1]),
    ]
)
model.compile(optimizer=keras.optimizers.SGD(0.01, momentum=0.9), loss="mse")
model.fit(x, y, epochs=1, batch_size=128)
