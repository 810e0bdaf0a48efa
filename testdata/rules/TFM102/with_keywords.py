import tensorflow as tf

x = tf.constant(1.0)
tf.config.set_visible_devices(device_type="GPU", devices=[])  # want "Visible devices cannot be modified"
