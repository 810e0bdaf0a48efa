"""Picks a GPU and starts processes beside the training."""
import multiprocessing
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import tensorflow as tf


def prepare(part):
    return part * 2


if __name__ == "__main__":
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)

    with multiprocessing.Pool(4) as pool:
        parts = pool.map(prepare, range(8))
    model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])  # want "information: .*Memory growth is not set"
    model.compile("adam", "mse")
    model.fit(parts, parts)
