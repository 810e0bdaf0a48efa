"""A decoder that feeds itself, its outputs written into a TensorArray."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 32
STEPS = 12
WIDTH = 256

cell = keras.layers.GRUCell(WIDTH)
project = keras.layers.Dense(64)
cell.build((None, 64))
project.build((None, WIDTH))
optimizer = keras.optimizers.Adam()
variables = cell.trainable_weights + project.trainable_weights
data = tf.data.Dataset.from_tensor_slices(
    {"start": np.zeros((256, 64), "float32"), "path": np.zeros((256, STEPS, 64), "float32")}
).batch(BATCH)


@tf.function
def step(example):
    start, path = example["start"], example["path"]
    with tf.GradientTape() as tape:
        outputs = tf.TensorArray(tf.float32, size=STEPS)
        state = [tf.zeros((tf.shape(start)[0], WIDTH))]
        x = start
        for t in range(STEPS):
            hidden, state = cell(x, state)
            x = project(hidden)
            outputs = outputs.write(t, x)
        predicted = tf.transpose(outputs.stack(), [1, 0, 2])
        loss = tf.reduce_mean(tf.square(predicted - path))
    gradients = tape.gradient(loss, variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 5.0)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss, norm


for example in data:
    step(example)
