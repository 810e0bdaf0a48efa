# These raise TypeError, before they look at the devices.
import tensorflow as tf

x = tf.constant(1.0)
gpus = tf.config.list_physical_devices("GPU")
tf.config.set_visible_devices()
tf.config.experimental.set_visible_devices(device_type="GPU")
tf.config.experimental.set_memory_growth()
tf.config.experimental.set_memory_growth(gpus[0])
tf.config.experimental.set_memory_growth(enable=True)
tf.config.set_logical_device_configuration(gpus[0])
tf.config.experimental.set_virtual_device_configuration()
