import tensorflow as tf

tf.Session = tf.compat.v1.Session
tf.random.set_seed(1)
sess = tf.Session()
