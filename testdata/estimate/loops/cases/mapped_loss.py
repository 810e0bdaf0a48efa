"""Each example's loss comes of tf.map_fn over what the model returns, and the gradient goes back through it."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((64,)), layers.Dense(512, activation="relu"), layers.Dense(512)])
optimizer = keras.optimizers.Adam()


def energy(row):
    distances = tf.square(row[:, None] - row[None, :])
    return tf.reduce_mean(tf.exp(-distances))


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        losses = tf.map_fn(energy, model(x), fn_output_signature=tf.float32)
        loss = tf.reduce_mean(losses)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


for x in tf.data.Dataset.from_tensor_slices(np.zeros((256, 64), "float32")).batch(16):
    train_step(x)
