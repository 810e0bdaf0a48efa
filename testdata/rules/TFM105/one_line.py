import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
if gpus: tf.config.experimental.set_memory_growth(True)  # want "TypeError"
