import tensorflow as tf

new = hasattr(tf.config, "get_visible_devices")

gpus = tf.config.experimental.list_physical_devices("GPU")
