# Only TensorFlow 1 has tf.placeholder: operations build a graph.
import tensorflow as tf

x = tf.constant(1)
y = tf.placeholder(tf.float32, [None, 4])
for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
