import tensorflow.compat.v1 as tf

tf.random.set_seed(1)
tf.config.list_physical_devices("GPU")
config = tf.ConfigProto()
sess = tf.Session(config=config)
