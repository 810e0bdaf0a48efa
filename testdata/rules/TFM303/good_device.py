import numpy as np
import tensorflow as tf


def make():
    return tf.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000))).batch(2)


with tf.device("/CPU:0"):
    one = tf.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000)))
    other = make()
