import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1_000_000)])
