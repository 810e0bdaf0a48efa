"""Gradients that a helper returns, summed in variables and applied at every fourth batch, operation by operation."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

batch_size = 64
model = keras.Sequential(
    [
        keras.layers.Input((512,)),
        keras.layers.Dense(2048, activation="relu"),
        keras.layers.Dense(2048, activation="relu"),
        keras.layers.Dense(16),
    ]
)
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.CategoricalCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 512), "float32"), np.zeros((1024, 16), "float32"))).batch(batch_size)
sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in model.trainable_variables]


def gradients_of(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    return loss, tape.gradient(loss, model.trainable_variables)


for i, (x, y) in enumerate(data):
    loss, gradients = gradients_of(x, y)
    for total, g in zip(sums, gradients):
        total.assign_add(g / 4.0)
    if (i + 1) % 4 == 0:
        optimizer.apply_gradients(zip(sums, model.trainable_variables))
        for total in sums:
            total.assign(tf.zeros_like(total))
