"""TensorFlow 2 has no Session of its own: what the file gives it stands there, and no
ConfigProto beside it."""
import tensorflow as tf

tf.Session = tf.compat.v1.Session
sess = tf.Session()  # want "without memory growth"
sess.close()
