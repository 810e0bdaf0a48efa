import sys

import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if "--limit" in sys.argv:
    tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])
else:
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)


def configure(params):
    for gpu in gpus:
        if params.memory_limit:
            tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=params.memory_limit)])
        else:
            tf.config.experimental.set_memory_growth(gpu, True)


def by_flags(limit, growth):
    if limit:
        tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])
    if growth:
        tf.config.experimental.set_memory_growth(gpus[0], True)


def returns(limit):
    if limit:
        tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=limit)])
        return
    tf.config.experimental.set_memory_growth(gpus[0], True)
