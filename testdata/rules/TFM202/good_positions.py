import tensorflow as tf

sess = tf.Session("", None, tf.ConfigProto())
other = tf.Session(*[tf.ConfigProto()])
third = tf.Session(server.target)
config = tf.ConfigProto(
