# An old name is one after the call above it is mended, too.
import tensorflow as tf


def configure(fraction):
    return fraction


configure()
config = tf.ConfigProto()  # want "TensorFlow 2 has this name in tf.compat.v1 only"
config.gpu_options.allow_growth = True
session = tf.compat.v1.Session(config=config)
