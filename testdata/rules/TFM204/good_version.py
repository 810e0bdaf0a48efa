import tensorflow as tf

if tf.__version__.startswith("2"):
    tf.random.set_seed(1)
    sess = tf.compat.v1.Session()
else:
    tf.set_random_seed(1)
    sess = tf.Session()
tf.random.set_seed(1)
