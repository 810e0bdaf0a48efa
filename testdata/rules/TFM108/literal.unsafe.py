# device: 8 GiB
import tensorflow as tf

gpu, *rest = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpu, [
    tf.config.LogicalDeviceConfiguration(memory_limit=4096),
    tf.config.LogicalDeviceConfiguration(6056),  # want "A limit of 16384 MiB is more than"
])
