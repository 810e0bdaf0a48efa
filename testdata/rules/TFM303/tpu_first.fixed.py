# It looks for a TPU first: what runs where there is none runs on GPUs.
import numpy as np
import tensorflow as tf

try:
    tpu = tf.distribute.cluster_resolver.TPUClusterResolver.connect()
except ValueError:
    tpu = None
if tpu:
    strategy = tf.distribute.TPUStrategy(tpu)
elif len(tf.config.list_physical_devices("GPU")) > 1:
    strategy = tf.distribute.MirroredStrategy()
else:
    strategy = tf.distribute.get_strategy()
with tf.device("/CPU:0"):
    train = tf.data.Dataset.from_tensor_slices(np.zeros((300, 800, 800, 3), np.float32))  # want "2.15 GiB"
