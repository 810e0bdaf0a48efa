"""Of exclusive branches one is taken; a return ends the function."""
import tensorflow as tf


def gradients(x, scaled):
    with tf.GradientTape(persistent=True) as tape:  # want "asked once, by one of the calls of gradient\(\) from line 11 on"
        tape.watch(x)
        loss = model(x)
        scaled_loss = scale(loss)
    if scaled:
        g = unscale(tape.gradient(scaled_loss, x))
    elif x is None:
        return tape.gradient(loss, x)
    else:
        g = tape.gradient(loss, x)
    return g, tape.watched_variables()


def early(x, scaled):
    with tf.GradientTape(persistent=True) as tape:  # want "asked once"
        loss = model(x)
    if scaled:
        return unscale(tape.gradient(loss, x))
    return tape.gradient(loss, x)


def expression(x, scaled):
    with tf.GradientTape(persistent=True) as tape:  # want "asked once"
        loss = model(x)
    return tape.gradient(loss, x) if scaled else tape.gradient(2 * loss, x)


def cases(x, kind):
    with tf.GradientTape(persistent=True) as tape:  # want "asked once"
        loss = model(x)
    match kind:
        case "a":
            g = tape.gradient(loss, x)
        case _:
            g = tape.jacobian(loss, x)
    return g
