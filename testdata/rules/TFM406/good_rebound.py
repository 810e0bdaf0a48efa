"""A name that is bound to another tape in between."""
import tensorflow as tf

x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
print(tape.gradient(y, x))
with tf.GradientTape() as tape:
    z = x * x * x
print(tape.gradient(z, x))

for _ in range(3):
    with tf.GradientTape() as tape:
        y = x * x
    x.assign_sub(tape.gradient(y, x))


def step(x):
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)


for _ in range(3):
    step(x)
    step(x)


def rebound_in_loop(x, variables):
    with tf.GradientTape() as tape:
        y = model(x)
    for v in variables:
        update(v, tape.gradient(y, v))
        with tf.GradientTape() as tape:
            y = model(x)


def records_again(x):
    tape = tf.GradientTape()
    with tape:
        y = model(x)
    dy = tape.gradient(y, x)
    with tape:
        z = model(x)
    return dy, tape.gradient(z, x)


def wrapped(x):
    import horovod.tensorflow as hvd
    with tf.GradientTape() as tape:
        y = model(x)
    tape = hvd.DistributedGradientTape(tape)
    return tape.gradient(y, x)
