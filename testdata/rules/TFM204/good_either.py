"""Which of the two runs is not known."""
import tensorflow as tf


def old():
    return tf.Session()


def new():
    return tf.config.list_physical_devices("GPU")


if FLAGS.new:
    tf.random.set_seed(1)
else:
    tf.Session()
try:
    tf.random.set_seed(1)
except AttributeError:
    tf.set_random_seed(1)
