# On a TPU other things come first.
import tensorflow as tf

try:
    tpu = tf.distribute.cluster_resolver.TPUClusterResolver()
    strategy = tf.distribute.TPUStrategy(tpu)
    x = tf.zeros(1)
except ValueError:
    tpu = None
if not tpu:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
x = tf.zeros(1)
