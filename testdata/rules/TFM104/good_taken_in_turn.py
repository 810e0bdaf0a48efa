import tensorflow as tf

found = iter(tf.config.list_physical_devices("GPU"))
tf.config.experimental.set_memory_growth(next(found), True)
for gpu in found:
    tf.config.experimental.set_memory_growth(gpu, True)
