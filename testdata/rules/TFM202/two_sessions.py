"""Which of them is meant is not said: no fix, and at the level of a module no finding."""
import tensorflow as tf


def main():
    config = tf.ConfigProto()  # want "never passed to a session"
    config.gpu_options.allow_growth = True
    with tf.Session() as first:
        first.run(op)
    with tf.Session() as second:
        second.run(op)
