import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
# GPU settings

# One process takes 4 GiB.
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=4096)])  # want "Logical devices make TensorFlow drop memory growth"
