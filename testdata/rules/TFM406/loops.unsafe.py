import tensorflow as tf


def per_variable(x, variables):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    out = []
    for v in variables:
        out.append(tape.gradient(loss, v))  # want "is made outside the loop on line 8 and frees itself in its first turn"
    return out


def comprehension(x, variables):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    return [tape.gradient(loss, v) for v in variables]  # want "is made outside the loop on line 16"


def through_a_call(x, variables):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)

    def gradient(v):
        return tape.gradient(loss, v)  # want "is made outside the loop on line 26"

    for v in variables:
        update(gradient(v))


def made_once_a_turn(batches, variables):
    for x in batches:
        with tf.GradientTape(persistent=True) as tape:
            loss = model(x)
        for v in variables:
            update(v, tape.gradient(loss, v))  # want "is made outside the loop on line 34"
