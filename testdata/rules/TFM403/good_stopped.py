import tensorflow as tf


def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        with tape.stop_recording():
            dy = tape.gradient(y, x)
        z = critic(y)
    dz = tape.gradient(z, x)
    return dy, dz


def inner(x):
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as t:
            y = model(x)
        dy = t.gradient(y, x)
    return outer.gradient(dy, x), outer.gradient(y, x)
