import tensorflow as tf


def gpus():
    return tf.config.list_physical_devices("GPU")


tf.config.set_logical_device_configuration(gpus()[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])  # want "drop the memory growth that is set on line 9"
