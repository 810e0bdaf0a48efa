"""A fixed point that tf.while_loop looks for, ten turns through one layer, before the loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

TURNS = 10
embed = layers.Dense(256)
turn = layers.Dense(256, activation="tanh")
read = layers.Dense(10)
embed.build((None, 64))
turn.build((None, 256))
read.build((None, 256))
optimizer = keras.optimizers.Adam()
variables = embed.trainable_variables + turn.trainable_variables + read.trainable_variables
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        given = embed(x)
        _, state = tf.while_loop(
            lambda i, s: i < TURNS,
            lambda i, s: (i + 1, turn(s) + given),
            (tf.constant(0), tf.zeros_like(given)),
        )
        loss = loss_fn(y, read(state))
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 64), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(128):
    train_step(x, y)
