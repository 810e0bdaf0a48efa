# Functions that are called under the scope of the CPU alone, in their turn by others.
import tensorflow as tf


def exact(x):
    return tf.cast(x, tf.float64)


def through(x):
    return exact(x) + exact(2 * x)


def again(x, n):
    y = tf.cast(x, tf.float64)
    return again(y, n - 1) if n else y


class Solver:
    def precise(self, x):
        return tf.cast(x, tf.float64)

    def factors(self, items):
        with tf.device("/cpu:0"):
            def copies():
                return [tf.cast(tf.identity(item), tf.float64) for item in items]

            return copies() + [self.precise(item) for item in items]


def steps(items):
    def copies():  # which nothing calls
        return [tf.cast(tf.identity(item), tf.float64) for item in items]

    return items


with tf.device("/CPU:0"):
    through(values)
    again(values, 3)
