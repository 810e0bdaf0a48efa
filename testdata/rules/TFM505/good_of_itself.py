"""What a loop computes from itself, and appends to a list of its own."""
import tensorflow as tf


@tf.function
def unrolled(x):
    steps = []
    total = x
    for _ in range(8):
        total = total * 2.0 + total
        steps.append(total)
    return tf.stack(steps)


@tf.function
def of_nothing(x):
    steps = []
    for _ in range(8):
        y = y + y
        steps.append(y)
    return x
