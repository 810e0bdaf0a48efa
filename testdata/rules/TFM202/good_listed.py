import tensorflow as tf

__all__ = ["config"]
config = tf.ConfigProto()
config.gpu_options.allow_growth = True
sess = tf.Session()
