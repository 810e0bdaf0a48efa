import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
tf.config.set_memory_growth(gpus, True)  # want "AttributeError"
