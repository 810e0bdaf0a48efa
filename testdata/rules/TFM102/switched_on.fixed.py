"""One call switches the setting on, and a parameter without a default may."""
import tensorflow as tf


def prepare(limit_device=False):
    v = tf.Variable(1.0)
    if limit_device:
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.experimental.set_memory_growth(gpus[0], True)  # want "configured too late"
    return v


def uncalled(limit_device):
    if limit_device:
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.experimental.set_memory_growth(gpus[0], True)  # want "configured too late"

    v = tf.Variable(1.0)
    return v


prepare()
prepare(limit_device=True)
