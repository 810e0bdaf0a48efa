# device: 24 GiB
import tensorflow as tf

GIB = 1024
N, TOTAL = 2, 24 * GIB + 1024


def configure(gpu, mib=20 * 1024 + 10 * GIB):
    tf.config.set_logical_device_configuration(gpu, [tf.config.LogicalDeviceConfiguration(memory_limit=mib)])  # want "A limit of 30720 MiB is more than"


gpus = tf.config.list_physical_devices("GPU")
configure(gpus[0])
tf.config.set_logical_device_configuration(gpus[1], [tf.config.LogicalDeviceConfiguration(memory_limit=TOTAL)])  # want "A limit of 25600 MiB is more than"
