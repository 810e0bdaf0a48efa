import tensorflow as tf


def second_order(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = model(x)
        dy = inner.gradient(y, x)
    return outer.gradient(dy, x)


def two_tapes(x):
    with tf.GradientTape() as a, tf.GradientTape() as b:
        y = model(x)
    return a.gradient(y, x), b.gradient(y, model.weights)


def shadowed(tape, x):
    with tf.GradientTape() as tape:
        y = model(x)
    return tape.gradient(y, x)


def parameter(tape, x):
    return tape.gradient(x, x), tape.gradient(x, x)
