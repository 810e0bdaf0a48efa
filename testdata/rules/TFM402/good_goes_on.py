"""What a tape that has freed itself cannot do: watch, reset, record again."""
import tensorflow as tf


def watches(x, v):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        g = tape.gradient(y, x)
        tape.watch(v)
    return g


def resets(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        tape.reset()
        z = model(x)
    return tape.gradient(z, x)


def records_again(x):
    tape = tf.GradientTape(persistent=True)
    with tape:
        y = model(x)
    with tape:
        z = model(y)
    return tape.gradient(z, x)


def in_a_loop(batches, x):
    tape = tf.GradientTape(persistent=True)
    for batch in batches:
        with tape:
            y = model(batch)
    return tape.gradient(y, x)
