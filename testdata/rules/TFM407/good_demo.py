"""Numbers: nothing is kept that is worth a word."""
import numpy as np
import tensorflow as tf

x = tf.Variable([[1.0, 2.0, 3.0]])
w = tf.random.normal((3, 2), stddev=0.1)
xs = np.linspace(-1, 1, 50)


def loss_of(y):
    z = tf.reduce_mean(tf.square(y - 1.0))
    return z + 0.1 * tf.nn.l2_loss(x)


with tf.GradientTape() as tape:
    y = x @ w
    total = loss_of(y) + tf.reduce_sum(xs)

for i in range(3):
    with tf.GradientTape() as t:
        x.assign_sub(0.1 * loss_of(tf.matmul(x, w)) * i)
