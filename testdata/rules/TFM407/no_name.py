import tensorflow as tf


def evaluate(x):
    with tf.GradientTape(), tf.device("/GPU:0"):  # want "This tape has no name and cannot be asked"
        return model(x)


def watched(x):
    with tf.GradientTape(persistent=True) as t:  # want "tape t is never asked"
        t.watch(x)
        y = x ** 2
    del t
    return y


@tf.function
def compiled(x):
    with tf.GradientTape() as tape:  # want "never asked for a gradient: it records the forward pass"
        return model(x)


def rebound(x):
    with tf.GradientTape() as tape:  # want "never asked"
        y = model(x)
    with tf.GradientTape() as tape:
        y = model(x)
    return tape.gradient(y, x)


def other_tape(x):
    with tf.GradientTape() as outer:  # want "tape outer is never asked"
        with tf.GradientTape() as inner:
            y = model(x)
        dy = inner.gradient(y, x)
    return dy
