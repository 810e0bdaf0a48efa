"""One of two losses, by tf.switch_case, before the gradient."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((128,)), layers.Dense(1024, activation="relu"), layers.Dense(1024)])
optimizer = keras.optimizers.Adam()


def square(d):
    return tf.reduce_mean(tf.square(d))


def huber(d):
    return tf.reduce_mean(tf.where(tf.abs(d) < 1.0, 0.5 * tf.square(d), tf.abs(d) - 0.5))


@tf.function
def train_step(x, y, kind):
    with tf.GradientTape() as tape:
        d = model(x) - y
        loss = tf.switch_case(kind, [lambda: square(d), lambda: huber(d)])
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((2048, 128), "float32"), np.zeros((2048, 1024), "float32")))
for i, (x, y) in enumerate(data.batch(256)):
    train_step(x, y, tf.constant(i % 2))
