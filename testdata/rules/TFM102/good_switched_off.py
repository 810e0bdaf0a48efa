"""A parameter switches the setting on, and no call does."""
import tensorflow as tf


class Trainer:
    def __init__(self, limit_device=False):
        self.w = tf.Variable(1.0)
        if limit_device:
            for gpu in tf.config.list_physical_devices("GPU"):
                tf.config.experimental.set_memory_growth(gpu, True)


def prepare(limit_device=None):
    v = tf.Variable(1.0)
    if limit_device is not None:
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.experimental.set_memory_growth(gpus[0], True)
    return v


def uncalled(limit_device=False, name=""):
    v = tf.Variable(1.0)
    if limit_device and name:
        gpus = tf.config.list_physical_devices("GPU")
        tf.config.experimental.set_memory_growth(gpus[0], True)
    return v


class Kept:
    def __init__(self, limit_device=False):
        self.limit_device = limit_device

    def run(self):
        v = tf.Variable(1.0)
        if self.limit_device:
            tf.config.experimental.set_memory_growth(gpus[0], True)


prepare()
Kept().run()
Trainer(False)
