import numpy as np
import tensorflow as tf

# NumPy's own, what a dataset does on the CPU, and descriptions of what a file holds.
x = np.zeros((10, 10), dtype="float64")
y = x.astype(np.float64)
features = {"a": tf.io.FixedLenFeature([], tf.float64)}
spec = tf.TensorSpec((None,), tf.float64)


def parse(example):
    return tf.cast(example, tf.float64)


data = tf.data.Dataset.from_tensor_slices(x).map(parse).map(lambda v: tf.cast(v, tf.float64))
with tf.device("/CPU:0"):
    exact = tf.cast(x, tf.float64)
tf.cast(x, tf.float32)
tf.cast(x, kind)
tf.cast(x, tf.float64
