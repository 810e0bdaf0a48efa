"""A step that nothing compiles, whose name for the output of a softmax stands for something else before gradients come."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

model = tf.keras.Sequential([
    layers.Input((32, 32, 3)),
    layers.Conv2D(12, 3, padding="same", activation="relu"),
    layers.Conv2D(6, 3, padding="same", activation="softmax"),
])
pictures = np.random.rand(2560, 32, 32, 3).astype("float32")
classes = np.random.rand(2560, 32, 32, 6).astype("float32")
dataset = tf.data.Dataset.from_tensor_slices((pictures, classes)).batch(256)
optimizer = tf.keras.optimizers.SGD(0.01)


def train_step(images, wanted):
    with tf.GradientTape() as tape:
        out = model(images, training=True)
        out = out - wanted
        loss = tf.reduce_mean(tf.square(out))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for images, wanted in dataset:
    train_step(images, wanted)
