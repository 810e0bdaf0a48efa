"""Labels whose width only a run tells, against the scores of a classifier: both have one shape."""

import os

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((512,)), keras.layers.Dense(1024, activation="relu"), keras.layers.Dense(2000)])
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.CategoricalCrossentropy(from_logits=True)


def draw(rows, columns):
    return tf.constant(np.array(list(os.urandom(rows * columns)), dtype="float32").reshape(rows, -1))


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for _ in range(10):
    train_step(draw(256, 512), draw(256, 2000))
