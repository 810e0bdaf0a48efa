import tensorflow as tf


def setup():
    global config
    config = tf.ConfigProto()
    config.gpu_options.allow_growth = True


def run():
    return tf.Session(config=config)
