"""A backbone of points that is learned by its distances and by the angles between its bonds."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

POINTS = 256


def angles(x):
    bonds = x[:, 1:] - x[:, :-1]
    normals = tf.linalg.cross(bonds[:, 1:], bonds[:, :-1])
    normals = normals / tf.sqrt(tf.reduce_sum(tf.square(normals), axis=-1, keepdims=True) + 1e-8)
    return tf.einsum("ijk,ijk->ij", normals[:, 1:], normals[:, :-1])


class Backbone(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([layers.Flatten(), layers.Dense(256, activation="relu"), layers.Dense(64)])
        self.decoder = keras.Sequential([layers.Dense(256, activation="relu"), layers.Dense(3 * POINTS), layers.Reshape((POINTS, 3))])

    def call(self, x):
        return self.decoder(self.encoder(x))

    def train_step(self, data):
        with tf.GradientTape() as tape:
            guess = self(data, training=True)
            loss = tf.reduce_mean(tf.abs(data - guess)) + tf.reduce_mean(tf.abs(angles(data) - angles(guess)))
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        return {"loss": loss}


model = Backbone()
model.compile(optimizer=keras.optimizers.Adam(1e-3))
model.fit(np.random.normal(size=(2048, POINTS, 3)).astype("float32"), batch_size=512, epochs=2)
