import tensorflow as tf

tf.random.set_seed(1)
tf = tf.compat.v1
sess = tf.Session()


def run(tf):
    return tf.Session()


class tf:
    Session = 1


tf.Session
