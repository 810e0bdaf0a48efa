import tensorflow as tf


def grow(gpu):
    tf.config.experimental.set_memory_growth(gpu, True)


for gpu in tf.config.list_physical_devices("GPU"):
    grow(gpu)
