"""The program means to decide about the GPU's memory, and raises before it opens a session."""
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()

config = tf.ConfigProto()
config.gpu_option.allow_growth = True
sess = tf.Session(config=config)
