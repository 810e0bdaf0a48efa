import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")  # want "old name"
x = (tf.config.experimental.list_physical_devices("GPU"
