"""Picks a GPU and starts processes beside the training."""
import multiprocessing
import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import tensorflow as tf


def prepare(part):
    return part * 2


if __name__ == "__main__":
    os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

    with multiprocessing.Pool(4) as pool:
        parts = pool.map(prepare, range(8))
    model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])  # want "information: .*Memory growth is not set"
    model.compile("adam", "mse")
    model.fit(parts, parts)
