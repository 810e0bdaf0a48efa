# Which GPUs are visible is for the script to say that calls it.
import tensorflow as tf


def prepare():
    gpus = tf.config.list_physical_devices("GPU")
    tf.config.experimental.set_memory_growth(gpus[0], True)  # want "information: Memory growth is set on gpus\[0\] and not on the other GPUs.* Which ones are visible is for the callers of this module to say."
    return tf.zeros([1])
