import tensorflow as tf


def gradients(x, several, options):
    with tf.GradientTape(persistent=several) as a:
        y = model(x)
    with tf.GradientTape(**options) as b:
        z = model(x)
    with tf.GradientTape() as c:
        u = model(x)
    with tf.GradientTape(persistent=False) as d:
        v = model(x)
    with other.GradientTape(persistent=True) as e:
        w = model(x)
    return a.gradient(y, x), b.gradient(z, x), c.gradient(u, x), d.gradient(v, x), e.gradient(w, x)


def shadowed(tf, x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    return tape.gradient(y, x)
