import functools

import tensorflow as tf

opt = tf.keras.optimizers.Adam()


def a(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


def b(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


@functools.partial(tf.function, reduce_retracing=True)
def c(x):
    with tf.GradientTape() as tape:
        loss = model(x)
    opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))


fast = tf.function(a)
b = tf.function(b)
for x in data:
    fast(x)
    b(x)
    c(x)
