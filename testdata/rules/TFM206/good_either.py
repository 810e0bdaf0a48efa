"""Which is first is not known."""
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True
if FLAGS.debug:
    sess = tf.Session()
else:
    sess = tf.Session(config=config)
other = tf.Session(config=config)


def one():
    return tf.Session()


def two():
    return tf.Session(config=config)
