"""What a teacher says is looked at while the tape is paused; gradients are returned and another function applies them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def network(width):
    return keras.Sequential(
        [
            layers.Input((32, 32, 3)),
            layers.Conv2D(width, 3, padding="same", activation="relu"),
            layers.MaxPooling2D(),
            layers.Conv2D(2 * width, 3, padding="same", activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(10),
        ]
    )


teacher, student = network(64), network(16)
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def compute_gradients(images, labels):
    with tf.GradientTape() as tape:
        logits = student(images, training=True)
        with tape.stop_recording():
            soft = tf.nn.softmax(teacher(images, training=False) / 4.0)
        distilled = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=soft, logits=logits / 4.0))
        loss = loss_fn(labels, logits) + distilled
    return tape.gradient(loss, student.trainable_variables), loss


def apply_gradients(gradients):
    optimizer.apply_gradients(zip(gradients, student.trainable_variables))


@tf.function
def train_step(images, labels):
    gradients, loss = compute_gradients(images, labels)
    apply_gradients(gradients)
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 32, 32, 3), "float32"), np.zeros(512, "int32")))
for images, labels in data.batch(64):
    train_step(images, labels)
