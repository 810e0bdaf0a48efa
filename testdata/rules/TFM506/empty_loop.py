# The loop has no iterations.
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])
with tf.Session() as sess:
    for step in range(100, 10):
        sess.run(tf.assign(rate, 0.1 / (step + 1)))
    for step in range(100, 10, -1):
        sess.run(tf.assign(rate, 0.1 / (step + 1)))  # want "adds operations"
