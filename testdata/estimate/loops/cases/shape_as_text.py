"""Settings whose shape is a text that the program evaluates, for two views of a contrastive loss."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SETTINGS = {"batch_size": 24, "out_dim": 64, "temperature": 0.5, "input_shape": "(48, 48, 3)"}
input_shape = eval(SETTINGS["input_shape"])


class Encoder(tf.keras.Model):
    def __init__(self, out_dim):
        super().__init__()
        self.conv1 = layers.Conv2D(32, 3, activation="relu")
        self.conv2 = layers.Conv2D(64, 3, activation="relu")
        self.pool = layers.MaxPooling2D()
        self.flat = layers.GlobalAveragePooling2D()
        self.fc1 = layers.Dense(64, activation="relu")
        self.fc2 = layers.Dense(out_dim)

    def call(self, x):
        x = self.pool(self.conv1(x))
        x = self.pool(self.conv2(x))
        h = self.flat(x)
        return h, self.fc2(self.fc1(h))


def views(picture):
    return tf.image.random_flip_left_right(picture), tf.image.random_brightness(picture, 0.2)


pictures = np.zeros((128,) + input_shape, np.float32)
dataset = tf.data.Dataset.from_tensor_slices(pictures).map(views).batch(SETTINGS["batch_size"], drop_remainder=True)
model = Encoder(SETTINGS["out_dim"])
optimizer = tf.keras.optimizers.Adam(3e-4)
criterion = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(xis, xjs):
    with tf.GradientTape() as tape:
        _, zis = model(xis)
        _, zjs = model(xjs)
        zis = tf.math.l2_normalize(zis, axis=1)
        zjs = tf.math.l2_normalize(zjs, axis=1)
        logits = tf.matmul(zis, zjs, transpose_b=True) / SETTINGS["temperature"]
        loss = criterion(tf.range(tf.shape(logits)[0]), logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for xis, xjs in dataset:
    train_step(xis, xjs)
