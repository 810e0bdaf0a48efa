import tensorflow as tf

x = tf.constant(1)
try:
    tf.config.set_visible_devices([], "GPU")  # want "caught here, and the setting is lost"
except (ValueError, RuntimeError):
    pass
