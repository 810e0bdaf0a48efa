import tensorflow as tf

if hasattr(tf.config, "list_physical_devices"):
    gpus = tf.config.list_physical_devices("GPU")
else:
    gpus = tf.config.experimental.list_physical_devices("GPU")
try:
    gpus = tf.config.list_physical_devices("GPU")
except AttributeError:
    gpus = tf.config.experimental.list_physical_devices("GPU")
gpus = tf.config.experimental.list_physical_devices("GPU") if tf.__version__ < "2.1" else tf.config.list_physical_devices("GPU")
