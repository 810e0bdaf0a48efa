"""A step that nothing compiles, with a name for the output of a sigmoid: it holds the logits, too."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([
    layers.Input((32, 32, 3)),
    layers.Conv2D(12, 3, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="sigmoid"),
])
pictures = np.random.rand(2560, 32, 32, 3).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices(pictures).batch(256)
loss_fn = tf.keras.losses.MeanSquaredError()
optimizer = tf.keras.optimizers.Adam(0.001)


def train_step(images):
    with tf.GradientTape() as tape:
        decoded = model(images, training=True)
        loss = loss_fn(images, decoded)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for images in dataset:
    train_step(images)
