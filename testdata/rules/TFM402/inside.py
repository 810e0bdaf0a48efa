"""A tape that is not persistent stops recording before it takes the gradient."""
import tensorflow as tf


def gradient(x):
    with tf.GradientTape(persistent=True) as tape:  # want "Only one gradient is computed from the tape tape, so persistent=True is unnecessary\."
        tape.watch(x)
        y = model(x)
        g = tape.gradient(y, x)
    return g
