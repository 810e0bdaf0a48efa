# Calls may end before they come to the operation.
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])
made = None


def once(sess):
    global made
    if made is not None:
        return sess.run(made)
    made = tf.assign(rate, 0.5)
    return sess.run(made)


def rethrown(sess):
    try:
        if made is not None:
            raise ValueError("it is made")
    except ValueError:
        return
    sess.run(tf.assign(rate, 0.5))


def first(sess, names):
    for name in names:
        return sess.run(name)
    else:
        return sess.run(tf.assign(rate, 0.5))


with tf.Session() as sess:
    for step in range(10000):
        once(sess)
        rethrown(sess)
        first(sess, ["rate:0"])
