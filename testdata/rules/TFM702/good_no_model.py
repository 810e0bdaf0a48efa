from multiprocessing import Pool, Process

import numpy as np
import tensorflow as tf


def write(path):
    with tf.io.TFRecordWriter(path) as writer:
        writer.write(tf.io.serialize_tensor(tf.constant(read(path))).numpy())


def simulate(seed):
    return np.random.default_rng(seed).normal()


if __name__ == "__main__":
    with Pool(8) as pool:
        pool.map(write, paths)
        pool.map(simulate, range(8))
        pool.map(unknown, range(8))
    for i in range(4):
        Process(target=simulate, args=(i,)).start()
    tf.keras.models.load_model("model.keras").fit(data)
