# The workers are spawned, as the program asks.
# keras: 2.13
import multiprocessing

import numpy as np
import tensorflow as tf


class Rows(tf.keras.utils.Sequence):
    def __len__(self):
        return 10

    def __getitem__(self, i):
        return np.ones((8, 4)), np.ones((8, 1))


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn")
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    model.fit(Rows(), workers=8, use_multiprocessing=True)
