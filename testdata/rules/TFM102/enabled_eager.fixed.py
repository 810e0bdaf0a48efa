# TensorFlow 1 with eager execution.
import tensorflow as tf

tf.enable_eager_execution()
for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "tf.constant\(\) on line 5 has already initialised"

x = tf.constant(1)
