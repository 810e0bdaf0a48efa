import tensorflow as tf


def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        dy = tape.gradient()
        dz = tape.gradient(**options)
    return dy, dz, tape.gradient(y, x)
