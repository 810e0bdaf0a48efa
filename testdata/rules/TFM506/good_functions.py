# Made once, on a variable that is given, in a graph of its own, or perhaps not at all.
import functools

import tensorflow.compat.v1 as tf

loss = tf.get_variable("loss", [])


@functools.lru_cache()
def mean():
    return tf.reduce_mean(loss)


def load(sess, variable, value):
    sess.run(tf.assign(variable, value))


def cached(cache):
    if "mean" in cache:
        return cache["mean"]
    cache["mean"] = tf.reduce_mean(loss)
    return cache["mean"]


def apart():
    with tf.Graph().as_default():
        return tf.reduce_mean(tf.zeros([3]))


def once(sess):
    with tf.Session() as own:
        return own.run(tf.reduce_mean(loss))


def create(sess, name, value):
    variable = tf.get_variable(name, value.shape)
    sess.run(tf.variables_initializer([variable]))
    return variable


def fetch(sess, what):
    return sess.run(what)


with tf.Session() as sess:
    total = tf.reduce_mean(loss)
    for step in range(10000):
        sess.run(mean())
        fetch(sess, total)
        cached(cache)
        apart()
    for variable, value in zip(variables, values):
        load(sess, variable, value)
    for name, value in arrays:
        create(sess, name, value)

for seed in range(100):
    once(None)
