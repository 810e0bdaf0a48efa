"""A comment for the whole file."""
# tfmem: ignore-file[TFM102]
import tensorflow as tf

x = tf.constant(1)
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
