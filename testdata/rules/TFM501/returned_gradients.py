# The loop subtracts the gradients that a function returns.
import tensorflow as tf

w = tf.Variable([1.0, 2.0])
b = tf.Variable(0.0)


def loss_of(x, y):
    return tf.reduce_mean(tf.square(w * x + b - y))


def gradients_of(x, y):  # want "gradients_of runs eagerly in every iteration of the loop on line 32\."
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    return tape.gradient(loss, [w, b])


def loss_and_gradients(x, y):  # want "loss_and_gradients runs eagerly in every iteration of the loop on line 36\."
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    gradients = tape.gradient(loss, [w, b])
    return loss, gradients


def measured(x, y):
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = loss_of(x, y)
    return loss, tape.gradient(loss, x)


for i in range(1000):
    dw, db = gradients_of(x, y)
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
for i in range(1000):
    loss, gradients = loss_and_gradients(x, y)
    w.assign_sub(0.1 * gradients[0])
for i in range(1000):
    loss, slope = measured(x, y)
    b.assign_sub(0.1 * loss)
    print(slope)
