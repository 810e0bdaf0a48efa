import tensorflow as tf

gpus = tf.config.list_physical_devices("GPU")
while gpus:
    tf.config.experimental.set_memory_growth(gpus.pop(), True)
