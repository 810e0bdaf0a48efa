# Which TensorFlow runs this is not said: in 1 zeros() is an operation of a graph.
import tensorflow.compat.v1 as tf

bias = tf.zeros([2])
with tf.Session() as session:
    session.run(bias)
