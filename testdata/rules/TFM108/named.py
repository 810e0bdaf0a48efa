# device: 8 GiB
import tensorflow as tf

LIMIT = 10 * 1024
gpus = tf.config.list_physical_devices("GPU")
if gpus:
    tf.config.experimental.set_virtual_device_configuration(
        gpus[0],
        [tf.config.experimental.VirtualDeviceConfiguration(memory_limit=LIMIT)],  # want "error: A limit of 10240 MiB is more than a GPU of 8 GiB has\. The GPU has 8192 MiB \(named by the case\)\. TensorFlow does not check the limit, and can use about 6056 MiB of that GPU\.$"
    )
