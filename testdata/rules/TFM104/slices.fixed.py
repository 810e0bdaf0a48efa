import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
for device in gpus:
    tf.config.experimental.set_memory_growth(device, True)  # want "Memory growth is set on gpus\[:1\]"
