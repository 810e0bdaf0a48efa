import tensorflow as tf


def gradients(x):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        b = critic(a)
    return tape.gradient(a, model.trainable_variables), tape.gradient(b, critic.trainable_variables)


def not_persistent(x):
    with tf.GradientTape() as tape:
        a = model(x)
        g = tape.gradient(a, model.trainable_variables)
    return g


def needless(x):
    with tf.GradientTape(persistent=True) as tape:
        a = model(x)
        g = tape.gradient(a, model.trainable_variables)
    return g
