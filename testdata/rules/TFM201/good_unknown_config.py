import tensorflow as tf
import helpers

config = tf.ConfigProto()
helpers.tune(config)
sess = tf.Session(config=config)
