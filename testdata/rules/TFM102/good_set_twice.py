import tensorflow as tf


def grow():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)


grow()
x = tf.constant([1.0])
grow()
