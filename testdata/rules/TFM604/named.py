import tensorflow as tf

DTYPE = tf.float64
half = tf.constant(0.5, DTYPE)  # want "This is created in float64, twice the size of float32\."
other = tf.zeros(3, dtype="float64")  # want "This is created in float64, twice the size of float32\."
print(half * other)
