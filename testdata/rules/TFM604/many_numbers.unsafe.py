# A shape that is written out may be large, and one that is not may be anything.
import tensorflow as tf

point = tf.Variable([0., 0., 0.], dtype=tf.float32)  # want "This is created in float64"
table = tf.zeros((1024, 1024), tf.float32)  # want "This is created in float64"
