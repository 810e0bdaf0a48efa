import tensorflow as tf


def gradients(x):
    tape = tf.GradientTape(persistent=True)  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\."
    with tape:
        y = model(x)
    return tape.gradient(y, x)
