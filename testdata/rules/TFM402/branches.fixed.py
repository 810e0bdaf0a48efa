"""Of exclusive branches one is taken; a return ends the function."""
import tensorflow as tf


def gradients(x, scaled):
    with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\. Only one of the calls of gradient\(\) from line 11 on is reached\. A persistent tape keeps every tensor it recorded as long as it exists; otherwise the backward pass frees them as it goes\.$"
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
    with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\."
        loss = model(x)
    if scaled:
        return unscale(tape.gradient(loss, x))
    return tape.gradient(loss, x)


def expression(x, scaled):
    with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\."
        loss = model(x)
    return tape.gradient(loss, x) if scaled else tape.gradient(2 * loss, x)


def cases(x, kind):
    with tf.GradientTape() as tape:  # want "Only one gradient is computed from the tape, so persistent=True is unnecessary\."
        loss = model(x)
    match kind:
        case "a":
            g = tape.gradient(loss, x)
        case _:
            g = tape.jacobian(loss, x)
    return g
