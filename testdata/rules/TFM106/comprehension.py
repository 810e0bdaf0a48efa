import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
[tf.config.experimental.set_memory_growth(gpu, True) for gpu in gpus]
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])  # want "drop the memory growth that is set on line 4"
