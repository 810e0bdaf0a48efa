import tensorflow as tf

listing = getattr(tf.config, "list_physical_devices", None)

gpus = tf.config.experimental.list_physical_devices("GPU")
