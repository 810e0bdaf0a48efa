import tensorflow as tf


def first(x, variables):
    with tf.GradientTape() as tape:
        y = model(x)
    for v in variables:
        g = tape.gradient(y, v)
        break
    return g


def found(x, variables):
    with tf.GradientTape() as tape:
        y = model(x)
    for v in variables:
        if v.name == "kernel":
            return tape.gradient(y, v)


def flagged(x, variables):
    with tf.GradientTape() as tape:
        y = model(x)
    for v in variables:
        if v.name == "kernel":
            g = tape.gradient(y, v)
    return g


def literal(x, v):
    with tf.GradientTape() as tape:
        y = model(x)
    for _ in range(1):
        g = tape.gradient(y, v)
    for g in tape_of(x).gradient(y, v):
        print(g)
    return g


def iterated(x, v):
    with tf.GradientTape() as tape:
        y = model(x)
    for g in tape.gradient(y, v):
        print(g)
    return [tape for tape in v]
