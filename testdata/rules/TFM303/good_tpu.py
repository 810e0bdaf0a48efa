# Either it runs on a TPU or not at all.
import numpy as np
import tensorflow as tf

try:
    tpu = tf.distribute.cluster_resolver.TPUClusterResolver.connect()
except ValueError:
    raise SystemExit("there is no TPU")
strategy = tf.distribute.TPUStrategy(tpu)
train = tf.data.Dataset.from_tensor_slices(np.zeros((300, 800, 800, 3), np.float32))
