"""MAML: weights after a step of their own are used for the outer loss, whose gradient goes through that step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

HIDDEN = 512
w1 = tf.Variable(tf.random.normal((64, HIDDEN)) * 0.05)
b1 = tf.Variable(tf.zeros((HIDDEN,)))
w2 = tf.Variable(tf.random.normal((HIDDEN, HIDDEN)) * 0.05)
b2 = tf.Variable(tf.zeros((HIDDEN,)))
w3 = tf.Variable(tf.random.normal((HIDDEN, 1)) * 0.05)
weights = [w1, b1, w2, b2, w3]
optimizer = keras.optimizers.Adam(1e-3)
INNER = 0.01


def forward(x, w):
    h = tf.nn.relu(tf.matmul(x, w[0]) + w[1])
    h = tf.nn.relu(tf.matmul(h, w[2]) + w[3])
    return tf.matmul(h, w[4])


@tf.function
def meta_step(x_support, y_support, x_query, y_query):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_mean(tf.square(forward(x_support, weights) - y_support))
        grads = inner.gradient(loss, weights)
        adapted = [w - INNER * g for w, g in zip(weights, grads)]
        meta_loss = tf.reduce_mean(tf.square(forward(x_query, adapted) - y_query))
    meta = outer.gradient(meta_loss, weights)
    optimizer.apply_gradients(zip(meta, weights))
    return meta_loss


n = 512
tasks = tf.data.Dataset.from_tensor_slices(
    (np.zeros((n, 64), "float32"), np.zeros((n, 1), "float32"), np.zeros((n, 64), "float32"), np.zeros((n, 1), "float32"))
)
for batch in tasks.batch(64):
    meta_step(*batch)
