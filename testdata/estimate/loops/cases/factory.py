"""Steps that a function makes for a model, and a tf.Module that has one."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def make_model(width):
    return keras.Sequential([layers.Input((256,)), layers.Dense(width, activation="relu"), layers.Dense(width, activation="relu"), layers.Dense(16)])


def make_step(model, optimizer, loss_fn):
    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step


step = make_step(make_model(512), keras.optimizers.Adam(), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 256), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(128):
    step(x, y)
