# rule: TFM106
# raises: ValueError: Cannot set memory growth on device when virtual devices configured
# gpus: 2
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=1024)])
for gpu in gpus:
    tf.config.experimental.set_memory_growth(gpu, True)
