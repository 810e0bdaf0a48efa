"""One tf.function sums the gradients of a CNN, another applies them, and both know the variables by their shapes."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

net = keras.Sequential([
    keras.Input((40, 40, 3)),
    layers.Conv2D(64, 5, strides=2, activation="relu"),
    layers.Conv2D(256, 3, activation="relu"),
    layers.Conv2D(256, 3, activation="relu"),
    layers.AveragePooling2D(4),
    layers.Flatten(),
    layers.Dense(64, activation="relu"),
    layers.Dense(1, activation="sigmoid"),
])
adam = keras.optimizers.Adam(1e-4)
adam.build(net.trainable_variables)
sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in net.trainable_variables]
bce = keras.losses.BinaryCrossentropy()


@tf.function
def add(x, y):
    with tf.GradientTape() as tape:
        loss = bce(y, net(x, training=True))
    gradients = tape.gradient(loss, net.trainable_variables)
    for total, gradient in zip(sums, gradients):
        total.assign_add(gradient)
    return loss


@tf.function
def apply():
    adam.apply_gradients(zip(sums, net.trainable_variables))
    for total in sums:
        total.assign(tf.zeros_like(total))


data = tf.data.Dataset.from_tensor_slices((np.zeros((640, 40, 40, 3), "float32"), np.zeros((640, 1), "float32")))
for i, (x, y) in enumerate(data.batch(32)):
    add(x, y)
    if i % 4 == 3:
        apply()
