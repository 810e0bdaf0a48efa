# What is taken from tensors as NumPy's array is copied back. A tensor that is made in the call is
# made on the GPU because of it.
import numpy as np
import tensorflow as tf


def either(large):
    if large:
        return tf.zeros((60000, 64, 64, 3))
    return np.zeros((60000, 64, 64, 3), "float32")


zeros = tf.zeros((60000, 64, 64, 3))
a = tf.data.Dataset.from_tensor_slices(zeros.numpy())  # want "from_tensor_slices"
b = tf.data.Dataset.from_tensor_slices(either(False))  # want "from_tensor_slices"
c = tf.data.Dataset.from_tensor_slices(tf.constant(np.zeros((60000, 64, 64, 3), "float32")))  # want "from_tensor_slices"
with tf.device("/CPU:0"):
    d = tf.data.Dataset.from_tensor_slices(np.array(zeros))  # want "from_tensor_slices"
