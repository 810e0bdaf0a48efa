# Taken after the with statement, of what the call itself computes, or differentiated again.
import tensorflow as tf


def apply(tape, loss, model):
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


def slope(tape, y, x):
    return tape.gradient(y, x)


def computed(tape, x):
    y = model(x)
    optimizer.apply_gradients(zip(tape.gradient(y, model.trainable_variables), model.trainable_variables))


def told(tape, x):
    print(tape, x)


def after(x):
    with tf.GradientTape(persistent=True) as tape:
        a = tf.reduce_mean(model(x))
        b = tf.reduce_mean(critic(x))
        told(tape, a)
    apply(tape, a, model)
    apply(tape, b, critic)


def second(x):
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = model(x)
        first = slope(tape, y, x)
        penalty = tf.reduce_mean(first**2)
    return tape.gradient(penalty, model.trainable_variables), tape.gradient(y, x)


def inner(x):
    with tf.GradientTape(persistent=True) as tape:
        computed(tape, x)
        computed(tape, x + 1)


def minimized(x):
    with tf.GradientTape(persistent=True) as tape:
        a = tf.reduce_mean(model(x))
        b = tf.reduce_mean(critic(x))
    optimizer.minimize(a, model.trainable_variables, tape=tape)
    optimizer.minimize(b, critic.trainable_variables, tape=tape)
    with tf.GradientTape(persistent=True) as tape:
        optimizer.minimize(lambda: tf.reduce_mean(model(x)), model.trainable_variables, tape=tape)
        optimizer.minimize(lambda: tf.reduce_mean(critic(x)), critic.trainable_variables, tape=tape)
