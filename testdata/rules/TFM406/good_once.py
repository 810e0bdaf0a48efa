import tensorflow as tf


def exclusive(x, scaled):
    with tf.GradientTape() as tape:
        loss = model(x)
    if scaled:
        g = unscale(tape.gradient(loss, x))
    else:
        g = tape.gradient(loss, x)
    return g


def returned(x, scaled):
    with tf.GradientTape() as tape:
        loss = model(x)
    if scaled:
        return unscale(tape.gradient(loss, x))
    return tape.gradient(loss, x)


def two_questions(x, a, b):
    """Perhaps never both."""
    with tf.GradientTape() as tape:
        loss = model(x)
    if a:
        first(tape.gradient(loss, x))
    if b:
        second(tape.gradient(loss, x))


def persistent(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    return tape.gradient(loss, x), tape.gradient(loss, model.weights)


def perhaps(x, persistent, **options):
    with tf.GradientTape(persistent=persistent) as a:
        loss = model(x)
    with tf.GradientTape(**options) as b:
        other = model(x)
    return a.gradient(loss, x), a.gradient(loss, model.weights), b.gradient(other, x), b.gradient(other, model.weights)
