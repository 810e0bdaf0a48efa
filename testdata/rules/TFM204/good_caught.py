import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
try:
    config = tf.ConfigProto()
except AttributeError:
    config = tf.compat.v1.ConfigProto()
