import tensorflow as tf


def grow(gpus):
    for gpu in gpus:
        tf.config.experimental.set_memory_growth(gpu, True)


def limit(gpus, megabytes):
    for gpu in gpus:
        tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=megabytes)])
