import tensorflow as tf

gpus = tf.config.experimental.list_logical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0], True)  # want "gpus\[0\] is a logical device"
