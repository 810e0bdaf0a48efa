"""Adversarial training: pictures moved along the sign of their gradient, three times, before the step (PGD)."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

EPSILON, ALPHA, TURNS = 0.03, 0.01, 3
model = keras.Sequential(
    [
        layers.Input((32, 32, 3)),
        layers.Conv2D(32, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(64, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(128, activation="relu"),
        layers.Dense(10),
    ]
)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam()


def pgd(images, labels):
    moved = images + tf.random.uniform(tf.shape(images), -EPSILON, EPSILON)
    for _ in range(TURNS):
        with tf.GradientTape() as tape:
            tape.watch(moved)
            loss = loss_fn(labels, model(moved, training=False))
        gradient = tape.gradient(loss, moved)
        moved = moved + ALPHA * tf.sign(gradient)
        moved = tf.clip_by_value(moved, images - EPSILON, images + EPSILON)
        moved = tf.clip_by_value(moved, 0.0, 1.0)
    return tf.stop_gradient(moved)


@tf.function
def train_step(images, labels):
    moved = pgd(images, labels)
    with tf.GradientTape() as tape:
        loss = 0.5 * loss_fn(labels, model(images, training=True)) + 0.5 * loss_fn(labels, model(moved, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 32, 32, 3), "float32"), np.zeros(512, "int32")))
for images, labels in data.batch(64):
    train_step(images, labels)
