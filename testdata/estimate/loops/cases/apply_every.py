"""Gradients summed in variables within the graph, applied by an if that autograph compiles: here after each step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

EVERY = 1
model = keras.Sequential(
    [layers.Input((512,)), layers.Dense(1024, activation="relu"), layers.Dense(512, activation="relu"), layers.Dense(16)]
)
optimizer = keras.optimizers.Adam()
optimizer.build(model.trainable_variables)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
count = tf.Variable(0, dtype=tf.int64, trainable=False)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True)) / EVERY
    for total, g in zip(sums, tape.gradient(loss, model.trainable_variables)):
        total.assign_add(g)
    count.assign_add(1)
    if count % EVERY == 0:
        optimizer.apply_gradients(zip(sums, model.trainable_variables))
        for total in sums:
            total.assign(tf.zeros_like(total))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 512), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(64):
    train_step(x, y)
