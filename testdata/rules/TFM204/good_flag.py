import tensorflow as tf

tf.random.set_seed(1)
if USE_TF1:
    sess = tf.Session()
other = tf.Session() if not is_tf2() else None
