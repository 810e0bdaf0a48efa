# The shape is the same, or it is not known that it is another.
import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    return tf.reduce_sum(x)


for i in range(100):
    history = []
    history.append(i * 1.0)
    step(tf.constant(history))
window = []
for i in range(100):
    window.append(i * 1.0)
    window.pop(0)
    step(tf.constant(window))
recent = []
for i in range(1000):
    recent.append(i)
    recent = recent[-4:]
    step(np.array(recent))
x = tf.zeros((1, 3))
for i in range(100):
    y = tf.concat([x, tf.ones((1, 3))], axis=0)
    step(y)
for i in range(100):
    x = tf.concat([x, tf.ones((1, 3))], axis=0)[1:]
    step(x)
for n in range(1, 100):
    step(tf.zeros((8, 3)) + n)
    step(tf.fill((8, 3), n))
    step(np.full(8, n))
    step(tf.random.uniform((8,), 0, n))
    step(tf.constant([n, n + 1]))
for n in range(1, 100):
    step(np.random.randint(n, size=8))
for epoch in range(10):
    done = []
    for i in range(100):
        if i % 10 == 0:
            done.clear()
        done.append(i)
        step(np.array(done))
for batch in batches:
    x = tf.concat([batch, batch], 0)
    step(x)


def forget(items):
    items.clear()


last = []
for i in range(1000):
    last.append(i)
    if len(last) > 4:
        del last[0]
    step(np.array(last))
handed = []
for i in range(1000):
    handed.append(i)
    forget(handed)
    step(np.array(handed))
