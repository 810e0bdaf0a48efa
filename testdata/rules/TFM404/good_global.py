"""One that is asked once is TFM402's, one that is not asked TFM407's."""
import tensorflow as tf


def once(x):
    global first
    with tf.GradientTape(persistent=True) as first:
        y = model(x)
    return first.gradient(y, x)


def never(x):
    global second
    with tf.GradientTape(persistent=True) as second:
        return model(x)


def deleted(x):
    global third
    with tf.GradientTape(persistent=True) as third:
        y = model(x)
    g = third.gradient(y, x), third.gradient(y, model.weights)
    del third
    return g


def not_persistent(x):
    global fourth
    with tf.GradientTape() as fourth:
        y = model(x)
    return fourth.gradient(y, x)
