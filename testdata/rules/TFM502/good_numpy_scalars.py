# TensorFlow converts NumPy's scalars to tensors, so they share one trace (tried with 2.21).
import numpy as np
import tensorflow as tf


@tf.function
def scaled(x, factor):
    return x * tf.cast(factor, tf.float32)


x = tf.ones(3)
for factor in np.linspace(0, 1, 100):
    scaled(x, factor)
for i in range(100):
    scaled(x, np.int64(i))
for i in np.arange(100):
    scaled(x, i)
