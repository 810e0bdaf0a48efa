import tensorflow as tf


def evaluate(x):
    with tf.GradientTape(), tf.device("/GPU:0"):  # want "This tape has no name, so no gradient can be computed from it\."
        return model(x)


def watched(x):
    with tf.GradientTape(persistent=True) as t:  # want "No gradient is computed from the tape t\."
        t.watch(x)
        y = x ** 2
    del t
    return y


@tf.function
def compiled(x):
    # want "No gradient is computed from the tape\."
    return model(x)


def rebound(x):
    # want "No gradient is computed from the tape\."
    y = model(x)
    with tf.GradientTape() as tape:
        y = model(x)
    return tape.gradient(y, x)


def other_tape(x):
    # want "No gradient is computed from the tape outer\."
    with tf.GradientTape() as inner:
        y = model(x)
    dy = inner.gradient(y, x)
    return dy
