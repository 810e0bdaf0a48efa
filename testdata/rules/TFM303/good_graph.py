import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
one = tf.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000)))


@tf.function
def step():
    return tf.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000)))
