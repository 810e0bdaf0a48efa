import tensorflow as tf

tf.config.set_visible_devices(device_type="GPU", devices=[])  # want "Visible devices cannot be modified"

x = tf.constant(1.0)
