# A function that is called under the scope of the CPU, and elsewhere.
import tensorflow as tf


def exact(x):
    return tf.cast(x, tf.float32)  # want "This is created in float64, twice the size of float32\."


def again(x, n):
    y = tf.cast(x, tf.float32)  # want "This is created in float64, twice the size of float32\."
    return again(y, n - 1) if n else y


def unused(x):
    with tf.device("/CPU:0"):
        def inner():
            return tf.cast(x, tf.float32)  # want "This is created in float64, twice the size of float32\."
        return inner


with tf.device("/CPU:0"):
    exact(values)
exact(others)
