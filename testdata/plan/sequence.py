# device: 4 GiB
# keras: 3.15
# A Sequence makes the batches, and a schedule counts them. Blocks are made in a loop, each with a model of its own.
import math

import keras
import numpy as np
from keras import layers
from keras.utils import PyDataset

SIDE = 320
BATCH = 24


class Pictures(PyDataset):
    def __init__(self, paths, batch_size):
        super().__init__()
        self.paths = paths
        self.batch_size = batch_size

    def __len__(self):
        return len(self.paths) // self.batch_size

    def __getitem__(self, i):
        shape = (self.batch_size, SIDE, SIDE)
        return np.zeros(shape + (3,), "float32"), np.zeros(shape + (1,), "float32")


def overlap(y, predicted):
    both = keras.ops.sum(y * predicted)
    return 1 - 2 * both / (keras.ops.sum(y) + keras.ops.sum(predicted))


paths = [f"{i}.png" for i in range(2400)]
x = inputs = keras.Input((SIDE, SIDE, 3))
for width in (32, 64, 64, 32):
    x = keras.Sequential([layers.Conv2D(width, 3, padding="same"), layers.BatchNormalization(), layers.ReLU()])(x)
model = keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(x))
rate = keras.optimizers.schedules.PolynomialDecay(1e-3, 10000)
steps = math.ceil(len(paths) / BATCH)
model.compile(keras.optimizers.Adam(rate), loss=overlap)
model.fit(Pictures(paths, BATCH), steps_per_epoch=steps, epochs=40)
