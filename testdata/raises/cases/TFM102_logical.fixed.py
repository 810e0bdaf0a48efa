# rule: TFM102
# raises: RuntimeError: Virtual devices cannot be modified after being initialized
import tensorflow as tf

cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration(), tf.config.LogicalDeviceConfiguration()])

x = tf.random.normal([2, 2])
