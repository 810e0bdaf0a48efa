"""Gradients of several batches are summed by hand before they are applied."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

ACCUMULATE = 4
BATCH = 16
model = tf.keras.Sequential(
    [
        layers.Input((64, 64, 3)),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(256, activation="relu"),
        layers.Dense(10, activation="softmax"),
    ]
)
optimizer = tf.keras.optimizers.Adam()
optimizer.build(model.trainable_variables)
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True)) / ACCUMULATE
    gradients = tape.gradient(loss, model.trainable_variables)
    for total, gradient in zip(accumulated, gradients):
        total.assign_add(gradient)
    return loss


@tf.function
def apply():
    optimizer.apply_gradients(zip(accumulated, model.trainable_variables))
    for total in accumulated:
        total.assign(tf.zeros_like(total))


data = tf.data.Dataset.from_tensor_slices((np.zeros((128, 64, 64, 3), "float32"), np.zeros(128, "int32")))
for i, (x, y) in enumerate(data.batch(BATCH)):
    train_step(x, y)
    if (i + 1) % ACCUMULATE == 0:
        apply()
