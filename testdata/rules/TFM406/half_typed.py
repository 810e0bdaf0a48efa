import tensorflow as tf


def gradients(x):
    with tf.GradientTape() as tape:
        y = model(x)
    dy = tape.gradient(y, x)
    dz = tape.gradient(y, x)  # want "was consumed on line 7"
    du = tape.gradient(
    return dy, tape.
