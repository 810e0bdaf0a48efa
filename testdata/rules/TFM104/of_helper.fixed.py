import tensorflow as tf


def available():
    return tf.config.list_physical_devices("GPU")


for gpu in available():
    tf.config.experimental.set_memory_growth(gpu, True)  # want "Memory growth is set on available\(\)\[0\], and not on the other GPUs\."
