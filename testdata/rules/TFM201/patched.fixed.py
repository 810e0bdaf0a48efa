"""TensorFlow 2 has no Session of its own: what the file gives it stands there, and no
ConfigProto beside it."""
import tensorflow as tf

tf.Session = tf.compat.v1.Session
config = tf.compat.v1.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session(config=config)  # want "without memory growth"
sess.close()
