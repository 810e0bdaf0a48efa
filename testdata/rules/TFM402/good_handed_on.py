import horovod.tensorflow as hvd
import tensorflow as tf


def wrapped(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    tape = hvd.DistributedGradientTape(tape)
    return tape.gradient(loss, model.trainable_variables)


def passed(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    norms = compute_norms(tape, loss)
    return norms, tape.gradient(loss, x)


def lent(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    optimizer.minimize(loss, model.trainable_variables, tape=tape)
    return tape.gradient(loss, x)


def another_name(x):
    with tf.GradientTape(persistent=True) as tape:
        loss = model(x)
    t = tape
    return t.gradient(loss, x), tape.gradient(loss, x)
