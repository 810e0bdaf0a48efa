#!/usr/bin/env python
# The module has a name here.
import multiprocessing as mp
import tensorflow as tf


def train():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.fit(x, y)


if __name__ == '__main__':
    process = mp.get_context('spawn').Process(target=train)  # <- here
    process.start()
    process.join()
    if process.exitcode != 0:
        raise RuntimeError(f'train ended with exit code {process.exitcode}')
    train()
