import tensorflow as tf

cpu, = cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(tf.config.list_physical_devices("CPU")[0], [tf.config.LogicalDeviceConfiguration()] * 2)
