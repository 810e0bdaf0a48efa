import tensorflow as tf

gpus = tf.config.experimental.list_logical_devices("GPU")
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)  # want "gpus\[0\] is a logical device"
