import tensorflow as tf  # <- here not "the logical devices of line 4"

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])
x = tf.constant(1)
