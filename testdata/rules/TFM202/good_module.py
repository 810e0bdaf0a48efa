"""Others may import it."""
import tensorflow as tf

config = tf.ConfigProto()
config.gpu_options.allow_growth = True


class Settings:
    session = tf.ConfigProto()
    session.gpu_options.allow_growth = True
