import tensorflow as tf


def conditional_second(x, more):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    dy = tape.gradient(y, x)
    if more:
        return dy, tape.gradient(y, model.weights)  # want "was consumed on line 7"
    return dy


def same_branch(x, more):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    if more:
        dy = tape.gradient(y, x)
        return dy, tape.gradient(y, model.weights)  # want "was consumed on line 17"


@tf.function
def compiled(x):
    with tf.GradientTape(persistent=True) as tape:
        y = model(x)
    tf.print(tape.gradient(y, x))
    return tape.gradient(y, x)  # want "was consumed on line 25"
