# What these are given may be all that they need.
import tensorflow as tf

tf.config.set_visible_devices(*given)  # want "Visible devices cannot be modified"

x = tf.constant(1.0)
