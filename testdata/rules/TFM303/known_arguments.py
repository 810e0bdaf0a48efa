"""Sizes behind a parameter, a default, a name that is unpacked, a choice that its argument makes."""
import numpy as np
from tensorflow import keras

ROWS, WIDTH = 70_000, 4_096


def build(width):
    model = keras.Sequential([keras.Input((width,)), keras.layers.Dense(width)])
    model.compile("sgd", "mse")
    return model


def run(big, width=WIDTH):
    rows = ROWS if big else 70
    data = np.zeros((rows, width), dtype=np.float32)
    model = build(width)
    model.fit(data, data, batch_size=128)  # want "fit\(\) copies its arrays whole to the GPU: 2\.14 GiB"
    return model


def small(big):
    data = np.zeros((ROWS if big else 70, WIDTH), dtype=np.float32)
    build(WIDTH).fit(data, data)


model = run(big=True)
small(False)
