import numpy as np
import tensorflow as tf


def pictures(count, size=64):
    return np.zeros((count, size, size, 3), dtype="float32")


def labels(count):
    return np.zeros((count,), dtype="float32")


dataset = tf.data.Dataset.from_tensor_slices(pictures(60000))  # want "from_tensor_slices"
few = tf.data.Dataset.from_tensor_slices(pictures(100))
also = tf.data.Dataset.from_tensor_slices(labels(60000))
