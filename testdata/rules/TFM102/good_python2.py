# The last TensorFlow for Python 2 is 2.1, and in 1.x operations build a graph.
import tensorflow as tf

print "using", tf
x = tf.constant(1)
for gpu in tf.config.experimental.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)
