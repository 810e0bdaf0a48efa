import tensorflow as tf

with tf.Graph().as_default():
    x = tf.constant([1.0])
for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
