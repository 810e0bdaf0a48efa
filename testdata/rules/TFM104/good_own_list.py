import tensorflow as tf
from cluster import gpus

tf.config.experimental.set_memory_growth(gpus[0], True)
