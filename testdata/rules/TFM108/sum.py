# device: 8 GiB
import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_logical_device_configuration(gpus[0], [tf.config.LogicalDeviceConfiguration(memory_limit=3000)] * 3)  # want "warning: These logical devices' limits add up to more than the GPU has\. The sum is 9000 MiB, and a GPU of 8 GiB has 8192 MiB \(named by the case\)\. TensorFlow does not check the sum, and the later devices get less than their limit\.$"
tf.config.set_logical_device_configuration(gpus[1], [tf.config.LogicalDeviceConfiguration(memory_limit=4096) for _ in range(4)])  # want "These logical devices' limits add up to more than the GPU has\. The sum is 16384 MiB, and a GPU of 8 GiB has 8192 MiB \(named by the case\)\. TensorFlow does not check the sum, and the later devices get less than their limit\.$"
tf.config.set_logical_device_configuration(  # want "These logical devices' limits add up to more than the GPU has\. The sum is 12000 MiB, and a GPU of 8 GiB has 8192 MiB \(named by the case\)\. TensorFlow does not check the sum, and the later devices get less than their limit\.$"
    gpus[2],
    [
        tf.config.LogicalDeviceConfiguration(memory_limit=6000),
        tf.config.LogicalDeviceConfiguration(memory_limit=6000),
    ],
)
