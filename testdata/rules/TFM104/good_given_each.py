import tensorflow as tf


def grow(gpu):
    tf.config.experimental.set_memory_growth(gpu, True)


gpus = tf.config.list_physical_devices("GPU")
grow(gpus[0])
grow(gpus[1])
