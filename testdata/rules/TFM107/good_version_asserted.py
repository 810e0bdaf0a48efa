# TensorFlow 2.0 has the old names only.
import tensorflow as tf

assert tf.__version__.startswith("2.")
gpus = tf.config.experimental.list_physical_devices("GPU")
