import tensorflow as tf

tf.random.set_seed(1)
sess = tf.Session(config=tf.ConfigProto(  # want "'Session'" "'ConfigProto'"
