# TensorFlow 1.15 has tensorflow.compat.v1 too, and the old names only.
import tensorflow.compat.v1 as tf

gpus = tf.config.experimental.list_physical_devices("GPU")
