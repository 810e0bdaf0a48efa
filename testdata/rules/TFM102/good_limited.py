"""What raises first is the limit on the same GPU."""
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=2048)])
print(tf.config.list_logical_devices("GPU"))
tf.config.experimental.set_memory_growth(gpus[0], True)
