import tensorflow as tf

devices = tf.config.list_physical_devices("GPU")
for d in devices:
    tf.config.experimental.set_memory_growth(d, True)  # want "Memory growth is set on"
