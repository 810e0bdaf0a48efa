# Compiled, or what is subtracted is no gradient.
import tensorflow as tf

w = tf.Variable(1.0)
average = tf.Variable(1.0)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(w * x - y))
    w.assign_sub(0.1 * tape.gradient(loss, w))


def sensitivity(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = w * x
    average.assign_sub(0.01 * (average - w))
    return tape.gradient(y, x)


for epoch in range(100):
    for x, y in dataset:
        step(x, y)
        sensitivity(x)
