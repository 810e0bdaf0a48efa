"""Nothing names a version, and nothing says that it is not TensorFlow 1."""
import tensorflow as tf
from keras import backend as K

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
K.set_session(tf.Session(config=config))
