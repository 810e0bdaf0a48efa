import tensorflow as tf
from packaging import version

old = (version.parse(tf.version.VERSION) >= version.parse("2.1"))

gpus = tf.config.experimental.list_physical_devices("GPU")
