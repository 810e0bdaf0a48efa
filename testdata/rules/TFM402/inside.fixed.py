"""A tape that is not persistent stops recording before it takes the gradient."""
import tensorflow as tf


def gradient(x):
    with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\. .* records the backward pass too; it keeps the tensors of both passes"
        tape.watch(x)
        y = model(x)
        g = tape.gradient(y, x)
    return g


@tf.function
def traced(x):
    with tf.GradientTape() as tape:  # want "The tape lives only while this code is traced into a graph, where it changes nothing"
        tape.watch(x)
        y = model(x)
        g = tape.gradient(y, x)
    return g


def after(x):
    with tf.GradientTape() as tape:  # want "A persistent tape keeps every tensor it recorded"
        tape.watch(x)
        y = model(x)
    return tape.gradient(y, x)
