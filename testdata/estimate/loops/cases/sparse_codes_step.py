"""Sparse codes whose step adds what layers have added to the loss."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Codes(keras.Model):
    def __init__(self, width=512):
        super().__init__()
        self.encoder = layers.Dense(width, activation="relu", activity_regularizer="l1")
        self.hidden = layers.Dense(width, activation="relu")
        self.decoder = layers.Dense(256)

    def call(self, x):
        return self.decoder(self.hidden(self.encoder(x)))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self(x, training=True) - y) ** 2) + sum(self.losses)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss}


model = Codes()
model.compile("adam", jit_compile=False)
x = np.zeros((8192, 256), "float32")
model.fit(x, x, batch_size=2048)
