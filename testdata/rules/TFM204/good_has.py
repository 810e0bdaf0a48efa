import tensorflow as tf

Session = tf.Session if hasattr(tf, "Session") else tf.compat.v1.Session
AUTOTUNE = tf.data.AUTOTUNE
