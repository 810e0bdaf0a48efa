"""Gradients of each example by themselves, clipped before they are summed (DP-SGD): a jacobian of the losses by the weights."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

BATCH = 32
CLIP = 1.0
model = keras.Sequential([layers.Input((128,)), layers.Dense(256, activation="relu"), layers.Dense(64, activation="relu"), layers.Dense(10)])
optimizer = keras.optimizers.SGD(0.1)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction="none")


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        losses = loss_fn(y, model(x, training=True))
    jacobians = tape.jacobian(losses, model.trainable_variables)
    clipped = []
    for j in jacobians:
        flat = tf.reshape(j, [BATCH, -1])
        norms = tf.norm(flat, axis=1, keepdims=True)
        factors = tf.minimum(1.0, CLIP / (norms + 1e-6))
        clipped.append(tf.reshape(tf.reduce_mean(flat * factors, axis=0), j.shape[1:]))
    optimizer.apply_gradients(zip(clipped, model.trainable_variables))
    return tf.reduce_mean(losses)


data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 128), "float32"), np.zeros(512, "int32")))
for x, y in data.batch(BATCH):
    train_step(x, y)
