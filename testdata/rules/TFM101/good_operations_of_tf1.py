"""TensorFlow 1 adds these operations to a graph, which no session runs."""
import numpy as np
import tensorflow as tf


class Map:
    def __init__(self, rows, columns):
        self.weights = tf.Variable(tf.random_normal(shape=[rows * columns, 3]))
        self.places = tf.constant(np.arange(rows * columns))

    def nearest(self, colors):
        return tf.argmin(tf.reduce_sum(tf.square(self.weights - colors), 1))


print(Map(4, 5).nearest(np.zeros((1, 3), "float32")))
