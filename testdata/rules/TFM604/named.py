import tensorflow as tf

DTYPE = tf.float64
half = tf.constant(0.5, DTYPE)  # want "of float64"
other = tf.zeros(3, dtype="float64")  # want "of float64"
print(half * other)
