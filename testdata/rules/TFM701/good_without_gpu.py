import multiprocessing
import sys

import tensorflow as tf


def score(seed):
    return float(tf.reduce_sum(tf.random.stateless_normal([1000], [seed, 0])))


def on_gpus():
    gpus = tf.config.list_physical_devices("GPU")
    if len(gpus) > 0:
        print(tf.config.list_logical_devices("GPU"))
        return
    with multiprocessing.Pool(4) as pool:
        print(pool.map(score, range(4)))


def without():
    gpus = tf.config.list_physical_devices("GPU")
    if not gpus:
        print(tf.config.list_logical_devices())
    with multiprocessing.Pool(4) as pool:
        print(pool.map(score, range(4)))


def either():
    gpus = tf.config.list_physical_devices("GPU")
    if gpus and "--train" in sys.argv:
        print(tf.config.list_logical_devices("GPU"))
    if len(gpus) == 0:
        with multiprocessing.Pool(4) as pool:
            print(pool.map(score, range(4)))


def several():
    gpus = tf.config.list_physical_devices("GPU")
    if len(gpus) > 1:
        print(tf.config.list_logical_devices("GPU"))
    with multiprocessing.Pool(4) as pool:
        print(pool.map(score, range(4)))


if __name__ == "__main__":
    {"gpus": on_gpus, "without": without, "either": either, "several": several}[sys.argv[1]]()
