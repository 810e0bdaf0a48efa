"""Trains a classifier."""

import argparse
import os

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

BATCH = 32


def build():
    model = tf.keras.Sequential([layers.Dense(64), layers.Dense(10)])  # want "information: .*Memory growth is not set"
    model.compile("adam", "mse")
    return model


def main():
    model = build()
    model.fit(np.zeros((64, 8)), np.zeros((64, 10)), batch_size=BATCH)


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    main()
