# Arrays that are made in the loop and have another shape in each of its turns.
import numpy as np
import tensorflow as tf


@tf.function
def step(x):
    return tf.reduce_sum(x)


history = []
for i in range(100):
    history.append(i * 1.0)
    step(tf.constant(history))  # want "has another shape in every turn of the loop on line 12"
x = tf.zeros((1, 3))
for i in range(100):
    x = tf.concat([x, tf.ones((1, 3))], axis=0)
    step(x)  # want "x has another shape in every turn of the loop on line 16"
for n in range(1, 100):
    step(tf.zeros((n, 3)))  # want "has another shape in every turn of the loop on line 19"
for n in range(1, 100):
    noise = np.random.rand(n, 3)
    step(noise)  # want "noise has another shape in every turn of the loop on line 21"
rows = []
while True:
    rows += [read()]
    step(np.array(rows))  # want "np.array\(rows\) has another shape in every turn of the loop on line 25"
for n in range(1, 100):
    step(x=tf.random.normal(shape=[8, n * 2]))  # want "has another shape in every turn of the loop on line 28"
kept = np.zeros((0, 3))
for row in reader:
    kept = np.vstack((kept, row))
    step(kept)  # want "kept has another shape in every turn of the loop on line 31"
