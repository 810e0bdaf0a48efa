"""The GPU is taken before the session comes."""
import tensorflow as tf

x = tf.ones([2, 2])
with tf.compat.v1.Session(graph=graph) as sess:
    sess.run("y:0")
