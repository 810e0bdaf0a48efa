"""A network by hand, whose pooling gives a size and a stride for each axis, as TensorFlow 1 asked for."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

w1 = tf.Variable(tf.random.normal((5, 5, 3, 32), stddev=0.1))
w2 = tf.Variable(tf.random.normal((5, 5, 32, 64), stddev=0.1))
w3 = tf.Variable(tf.random.normal((8 * 8 * 64, 512), stddev=0.1))
w4 = tf.Variable(tf.random.normal((512, 10), stddev=0.1))
weights = [w1, w2, w3, w4]
optimizer = keras.optimizers.Adam(1e-3)


def network(x):
    x = tf.nn.relu(tf.nn.conv2d(x, w1, strides=[1, 1, 1, 1], padding="SAME"))
    x = tf.nn.max_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    x = tf.nn.relu(tf.nn.conv2d(x, w2, strides=[1, 1, 1, 1], padding="SAME"))
    x = tf.nn.avg_pool(x, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding="SAME")
    x = tf.reshape(x, [-1, 8 * 8 * 64])
    return tf.matmul(tf.nn.relu(tf.matmul(x, w3)), w4)


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = network(images)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 32, 32, 3), "float32"), np.zeros(1024, "int32")))
for images, labels in data.batch(128):
    train_step(images, labels)
