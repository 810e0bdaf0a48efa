import tensorflow as tf


def choose(n):
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.set_visible_devices(gpus[n], "GPU")


def grow():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)
