import tensorflow as tf


def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        dy = tape.gradient(y, x)  # want "tape.gradient"
        dz = tape.gradient(y, x)
        z = (
    return dy
