import tensorflow as tf

gpus = tf.config.list_physical_devices('GPU')
tf.config.experimental.set_memory_growth(gpus[:1], True)  # want "gpus\[:1\] is a list"
