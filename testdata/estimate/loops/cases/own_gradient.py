"""A layer's gradient is turned round with tf.custom_gradient (DANN): one trunk, two heads."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

BATCH = 64


@tf.custom_gradient
def reverse(x):
    y = tf.identity(x)

    def grad(dy):
        return -0.1 * dy

    return y, grad


trunk = keras.Sequential(
    [
        layers.Input((32, 32, 3)),
        layers.Conv2D(32, 5, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(48, 5, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
    ]
)
classify = keras.Sequential([layers.Input((8 * 8 * 48,)), layers.Dense(100, activation="relu"), layers.Dense(10)])
tell = keras.Sequential([layers.Input((8 * 8 * 48,)), layers.Dense(100, activation="relu"), layers.Dense(2)])
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam()
variables = trunk.trainable_variables + classify.trainable_variables + tell.trainable_variables


@tf.function
def train_step(images, labels, domains):
    with tf.GradientTape() as tape:
        features = trunk(images, training=True)
        loss = loss_fn(labels, classify(features)) + loss_fn(domains, tell(reverse(features)))
    grads = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(grads, variables))
    return loss


data = tf.data.Dataset.from_tensor_slices(
    (np.zeros((512, 32, 32, 3), "float32"), np.zeros(512, "int32"), np.zeros(512, "int32"))
)
for images, labels, domains in data.batch(BATCH):
    train_step(images, labels, domains)
