# Before the loop, twice at most, or in a process of its own.
import multiprocessing

import numpy as np
import tensorflow as tf


def batches(x):
    for i in range(0, len(x), 32):
        yield x[i : i + 32], x[i : i + 32]


def train(part):
    model = tf.keras.models.load_model("start.keras")
    model.fit(batches(np.load(f"x{part}.npy")))


if __name__ == "__main__":
    for part in range(100):
        process = multiprocessing.get_context("spawn").Process(target=train, args=(part,))
        process.start()
        process.join()
    for part in range(2):
        train(part)
