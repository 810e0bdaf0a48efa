import sys

import tensorflow as tf


def devices(kind):
    if kind == "none":
        return []
    return tf.config.list_physical_devices(kind)


for device in devices(sys.argv[1]):
    tf.config.experimental.set_memory_growth(device, True)
for device in devices(sys.argv[2]):
    tf.config.set_logical_device_configuration(device, [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])
