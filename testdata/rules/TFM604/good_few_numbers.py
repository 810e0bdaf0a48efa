# What is written out, and nothing else: some bytes.
import tensorflow as tf

point = tf.Variable([[0., 0., 0.]], dtype=tf.float64)
scale = tf.constant(-1.5, tf.float64)
corners = [[0, 1], [2, 3]]
matrix = tf.cast(corners, tf.float64) + tf.zeros((2, 2), tf.float64)
