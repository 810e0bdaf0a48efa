# The handler runs wherever there is no TPU, and sets growth when it is too late.
import tensorflow as tf

x = tf.zeros(1)
try:
    tpu = tf.distribute.cluster_resolver.TPUClusterResolver()
    strategy = tf.distribute.TPUStrategy(tpu)
except ValueError:
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)  # want "already initialised the devices"
    strategy = tf.distribute.MirroredStrategy()
