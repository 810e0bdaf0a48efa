import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(gpus[0])  # want "missing 1 required positional argument: 'enable'"
