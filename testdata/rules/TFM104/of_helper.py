import tensorflow as tf


def available():
    return tf.config.list_physical_devices("GPU")


tf.config.experimental.set_memory_growth(available()[0], True)  # want "Memory growth is set on available\(\)\[0\], and not on the other GPUs\."
