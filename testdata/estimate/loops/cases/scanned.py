"""A recurrent network of the program's own, run over time by tf.scan."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

WIDTH = 256
wx = tf.Variable(tf.random.normal((32, WIDTH)))
wh = tf.Variable(tf.random.normal((WIDTH, WIDTH)))
wo = tf.Variable(tf.random.normal((WIDTH, 32)))
optimizer = keras.optimizers.Adam()
variables = [wx, wh, wo]


def cell(state, x):
    return tf.tanh(tf.matmul(x, wx) + tf.matmul(state, wh))


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        inputs = tf.transpose(x, [1, 0, 2])
        states = tf.scan(cell, inputs, initializer=tf.zeros((tf.shape(x)[0], WIDTH)))
        predicted = tf.matmul(states[-1], wo)
        loss = tf.reduce_mean(tf.square(predicted - y))
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 20, 32), "float32"), np.zeros((512, 32), "float32")))
for x, y in data.batch(64):
    train_step(x, y)
