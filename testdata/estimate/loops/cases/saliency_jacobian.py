"""A network is taught by how its outputs follow its inputs: batch_jacobian of the outputs, turn by turn and not by pfor."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((64,)), layers.Dense(512, activation="tanh"), layers.Dense(512, activation="tanh"), layers.Dense(8)])
optimizer = keras.optimizers.Adam(1e-3)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        out = model(x)
        loss = tf.reduce_mean(tf.square(out - y))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    with tf.GradientTape() as look:
        look.watch(x)
        out = model(x)
    sensitivity = look.batch_jacobian(out, x, experimental_use_pfor=False)
    return loss, tf.reduce_mean(tf.abs(sensitivity), axis=0)


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 64), "float32"), np.zeros((1024, 8), "float32"))).batch(128)
for x, y in data:
    train_step(x, y)
