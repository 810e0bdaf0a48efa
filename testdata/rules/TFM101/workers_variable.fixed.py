"""Workers that are forked: to list the GPUs before would break CUDA in them."""
import os

import tensorflow as tf
from multiprocess import Pool

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"


def train(fold):
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])  # want "warning: Memory growth is not set.*The program starts other processes that use TensorFlow"
    model.compile("adam", "mse")
    model.fit(tf.zeros((8, 4)), tf.zeros((8, 1)))
    return fold


train(0)
with Pool(2) as pool:
    pool.map(train, [1, 2])
