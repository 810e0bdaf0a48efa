import tensorflow as tf
from tensorflow.compat.v1 import ConfigProto, Session
from requests import Session as Web

tf.random.set_seed(1)
try:
    from tensorflow import ConfigProto
except ImportError:
    pass
