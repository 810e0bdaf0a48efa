"""tf.gradients in a function that tf.function compiles: no tape is there."""

import numpy as np
import tensorflow as tf

w1 = tf.Variable(tf.random.normal((256, 1024)) * 0.05)
b1 = tf.Variable(tf.zeros((1024,)))
w2 = tf.Variable(tf.random.normal((1024, 512)) * 0.05)
b2 = tf.Variable(tf.zeros((512,)))
w3 = tf.Variable(tf.random.normal((512, 16)) * 0.05)
variables = [w1, b1, w2, b2, w3]
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    h = tf.nn.relu(tf.matmul(x, w1) + b1)
    h = tf.nn.relu(tf.matmul(h, w2) + b2)
    loss = tf.reduce_mean(tf.square(tf.matmul(h, w3) - y))
    optimizer.apply_gradients(zip(tf.gradients(loss, variables), variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 256), "float32"), np.zeros((1024, 16), "float32")))
for x, y in data.batch(128):
    train_step(x, y)
