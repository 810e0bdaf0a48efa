"""A contractive autoencoder: the norm of the jacobian of the code by the input is in the loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

encoder = keras.Sequential([layers.Input((256,)), layers.Dense(128, activation="sigmoid"), layers.Dense(16, activation="sigmoid")])
decoder = keras.Sequential([layers.Input((16,)), layers.Dense(128, activation="relu"), layers.Dense(256)])
optimizer = keras.optimizers.Adam(1e-3)
variables = encoder.trainable_variables + decoder.trainable_variables


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            code = encoder(x)
        jacobian = inner.batch_jacobian(code, x)
        penalty = tf.nn.l2_loss(jacobian) / 64.0
        loss = tf.reduce_mean(tf.square(decoder(code) - x)) + 1e-4 * penalty
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    return loss


data = tf.data.Dataset.from_tensor_slices(np.zeros((1024, 256), "float32")).batch(64)
for x in data:
    train_step(x)
