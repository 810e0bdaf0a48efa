import tensorflow as tf

*others, last = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(last, True)  # want "Memory growth is set on last, and not on the other GPUs\."
