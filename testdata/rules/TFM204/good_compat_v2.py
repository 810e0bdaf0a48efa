"""TensorFlow 1.15 has compat.v2, and with it what 2 has."""
import tensorflow as tf
import tensorflow.compat.v2 as tf2

tf2.random.set_seed(1)
sess = tf.Session()
