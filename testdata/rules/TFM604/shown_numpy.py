"""NumPy's arrays are of float64, and meet what is made here: nothing is mended."""
import numpy as np
import tensorflow as tf

weights = tf.Variable(np.zeros(3))
x = tf.constant(read(), dtype=tf.float64)  # want "This is created in float64, twice the size of float32\."
print(weights * x)
