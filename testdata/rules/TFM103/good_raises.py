"""The error is another rule's."""
import tensorflow as tf

print(tf.test.gpu_device_name())
x = tf.constant([1.0])
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
