# Compiled, few, on tensors of a graph, by another library, or of a loss that reads values.
# keras: 2.13
import numpy as np
import tensorflow as tf

a = tf.Variable([0.5, 0.5])
b = tf.Variable(0.0)
optimizer = tf.keras.optimizers.Adam(0.1)


def loss():
    return tf.reduce_mean((a * x + b - y) ** 2)


def measured():
    return tf.reduce_mean(a) * np.mean(simulate(a.numpy()))


@tf.function
def step():
    optimizer.minimize(loss, [a, b])


for i in range(1000):
    step()
for i in range(100):
    optimizer.minimize(lambda: (b - 3.0) ** 2, [b])
for i in range(10):
    optimizer.minimize(loss, [a, b])
for i in range(1000):
    optimizer.minimize(measured, [a])
with tf.device("/CPU:0"):
    for i in range(1000):
        optimizer.minimize(loss, [a, b])
for start in starts:
    scipy_minimize(loss, start)
    solver.minimize(loss, start)
