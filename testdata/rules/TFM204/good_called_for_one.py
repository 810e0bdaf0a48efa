"""The callers know which TensorFlow it is."""
import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def open_session():
    return tf.Session()


def run():
    if not is_v2():
        open_session()
