"""The gradient's own norm is in the loss: a tape within a tape, by the weights (second order)."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((64,)), layers.Dense(512, activation="tanh"), layers.Dense(512, activation="tanh"), layers.Dense(1)])
optimizer = keras.optimizers.Adam()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        grads = inner.gradient(loss, model.trainable_variables)
        total = loss + 0.01 * tf.add_n([tf.nn.l2_loss(g) for g in grads])
    second = outer.gradient(total, model.trainable_variables)
    optimizer.apply_gradients(zip(second, model.trainable_variables))
    return total


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 64), "float32"), np.zeros((1024, 1), "float32")))
for x, y in data.batch(128):
    train_step(x, y)
