"""The field is one of gpu_options: the program raises before it opens a session."""
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

config = tf.ConfigProto(allow_soft_placement=True)
config.allow_growth = True
sess = tf.Session(config=config)
