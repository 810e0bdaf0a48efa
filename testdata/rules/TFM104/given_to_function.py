# The function sets growth on the device that it is given, and that is one of them.
import tensorflow as tf


def grow(gpu):
    tf.config.experimental.set_memory_growth(gpu, True)


gpus = tf.config.list_physical_devices("GPU")
grow(gpus[0])  # want "Memory growth is set on gpus\[0\], and not on the other GPUs"
