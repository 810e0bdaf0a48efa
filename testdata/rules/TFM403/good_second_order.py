"""A gradient of a gradient needs the first to be recorded."""
import tensorflow as tf


def same_tape(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        dy = tape.gradient(y, x)
    return tape.gradient(dy, x)


def penalty(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        score = critic(x)
        norms = []
        for g in tape.gradient(score, [x]):
            norms.append(tf.norm(g))
        total = tf.add_n(norms)
        loss = score + total
    return tape.gradient(loss, critic.trainable_variables)


def outer_tape(x):
    with tf.GradientTape() as outer:
        with tf.GradientTape(persistent=True) as tape:
            y = model(x)
            dy = tape.gradient(y, x)
            du = tape.gradient(y, model.weights)
    return outer.gradient(dy, x), du


def inner(x):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
        da = tape.gradient(a, x)
        db = tape.gradient(b, x)
    return da, db


def calls_inner(x):
    with tf.GradientTape() as outer:
        da, db = inner(x)
    return outer.gradient(da, x)


def in_the_call(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
        dy = tape.gradient(tf.reduce_sum(y), x)
        dz = tape.gradient(y * y, x)
    return dy, dz
