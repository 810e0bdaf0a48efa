# One model a fold, and its own Sequences of the fold's arrays.
import numpy as np
import keras
from sklearn.model_selection import KFold


class Pairs(keras.utils.PyDataset):
    def __init__(self, x, y, size):
        super().__init__(workers=4)
        self.x, self.size = x, size
        self.labels = y

    def __len__(self):
        return -(-len(self.x) // self.size)

    def __getitem__(self, i):
        part = slice(i * self.size, (i + 1) * self.size)
        return self.x[part], self.labels[part]


def build():
    model = keras.Sequential([keras.layers.Dense(64, activation="relu"), keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


x, y = np.load("x.npy"), np.load("y.npy")
for train, rest in KFold(8).split(x):
    model = build()
    model.fit(Pairs(x[train], y[train], 64), epochs=5)  # want "Each Sequence that fit\(\) takes in the loop on line 28 stays"
