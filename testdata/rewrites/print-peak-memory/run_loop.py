"""Imported under another name; the loop is in a function, by an import of Keras."""
import keras
import numpy as np


def main():
    keras.utils.set_random_seed(2)
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    for start in range(0, 64, 16):  # <- here
        x = np.ones((16, 8), "float32")
        model.train_on_batch(x, x[:, :1])
    return model


model = main()
