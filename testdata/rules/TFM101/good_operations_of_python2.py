"""Python 2 has a TensorFlow 1 in nearly every program: these operations only become a graph."""
import tensorflow as tf

a = tf.ones([3])
b = tf.concat([a, tf.zeros([2])], axis=0)
print b
