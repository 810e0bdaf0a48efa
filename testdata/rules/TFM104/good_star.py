import tensorflow as tf

first, *rest = tf.config.list_physical_devices("GPU")
tf.config.experimental.set_memory_growth(first, True)
for gpu in rest:
    tf.config.experimental.set_memory_growth(gpu, True)
