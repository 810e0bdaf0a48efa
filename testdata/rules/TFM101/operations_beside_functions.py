# Its own code computes something, though it does not use all functions.
import tensorflow as tf


def add_axis():
    print(tf.expand_dims(tf.zeros((4, 4)), 2).shape)


def reshape():
    x = tf.range(96)  # want "Memory growth is not set"
    print(tf.reshape(x, [2, 4, 4, 3]))


reshape()
