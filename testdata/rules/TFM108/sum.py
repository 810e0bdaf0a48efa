# device: 8 GiB
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=3000)] * 3)  # want "warning: The limits of these logical devices add up to 9000 MiB, and a GPU of 8 GiB has 8192 MiB"
tf.config.set_logical_device_configuration(gpus[1], [tf.config.LogicalDeviceConfiguration(memory_limit=4096) for _ in range(4)])  # want "add up to 16384 MiB"
tf.config.set_logical_device_configuration(  # want "add up to 12000 MiB"
    gpus[2],
    [
        tf.config.LogicalDeviceConfiguration(memory_limit=6000),
        tf.config.LogicalDeviceConfiguration(memory_limit=6000),
    ],
)
