# Each call comes to the operation, whatever else leaves the function before it.
import tensorflow.compat.v1 as tf

rate = tf.get_variable("rate", [])


def measured(sess):
    try:
        return sess.run(rate)
    finally:
        sess.run(tf.assign(rate, 0.5))


def retried(sess):
    try:
        if not sess.list_devices():
            raise ValueError("there is no device")
    except ValueError:
        print("on the CPU")
    sess.run(tf.assign(rate, 0.5))


with tf.Session() as sess:
    for step in range(10000):
        measured(sess)  # want "measured\(\) adds operations"
    for step in range(10000):
        retried(sess)  # want "retried\(\) adds operations"
