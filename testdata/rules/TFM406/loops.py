import tensorflow as tf


def per_variable(x, variables):
    with tf.GradientTape() as tape:
        loss = model(x)
    out = []
    for v in variables:
        out.append(tape.gradient(loss, v))  # want "A second gradient request to the tape fails\. It is not persistent and is created outside the loop on line 8 and consumed in its first iteration, so this call raises RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients \(or jacobians\)\.$"
    return out


def comprehension(x, variables):
    with tf.GradientTape() as tape:
        loss = model(x)
    return [tape.gradient(loss, v) for v in variables]  # want "A second gradient request to the tape fails\. It is not persistent and is created outside the loop on line 16 and consumed in its first iteration, so this call raises RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients \(or jacobians\)\.$"


def through_a_call(x, variables):
    with tf.GradientTape() as tape:
        loss = model(x)

    def gradient(v):
        return tape.gradient(loss, v)  # want "A second gradient request to the tape fails\. It is not persistent and is created outside the loop on line 26 and consumed in its first iteration, so this call raises RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients \(or jacobians\)\.$"

    for v in variables:
        update(gradient(v))


def made_once_a_turn(batches, variables):
    for x in batches:
        with tf.GradientTape() as tape:
            loss = model(x)
        for v in variables:
            update(v, tape.gradient(loss, v))  # want "A second gradient request to the tape fails\. It is not persistent and is created outside the loop on line 34 and consumed in its first iteration, so this call raises RuntimeError: A non-persistent GradientTape can only be used to compute one set of gradients \(or jacobians\)\.$"
