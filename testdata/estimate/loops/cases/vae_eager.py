"""A variational autoencoder trained operation by operation, on the cross entropy of each pixel."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

batch_size = 256


class VAE(keras.Model):
    def __init__(self, latent=16):
        super().__init__()
        self.hidden = keras.layers.Dense(400, activation="relu")
        self.mean = keras.layers.Dense(latent)
        self.log_variance = keras.layers.Dense(latent)
        self.widen = keras.layers.Dense(400, activation="relu")
        self.pixels = keras.layers.Dense(784)

    def call(self, x):
        h = self.hidden(x)
        mean, log_variance = self.mean(h), self.log_variance(h)
        z = mean + tf.random.normal(log_variance.shape) * tf.exp(0.5 * log_variance)
        return self.pixels(self.widen(z)), mean, log_variance


model = VAE()
model.build((4, 784))
optimizer = keras.optimizers.Adam(1e-3)
dataset = tf.data.Dataset.from_tensor_slices(np.zeros((1024, 28, 28), "float32")).batch(batch_size)

for step, x in enumerate(dataset):
    x = tf.reshape(x, [-1, 784])
    with tf.GradientTape() as tape:
        logits, mean, log_variance = model(x)
        entropy = tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=logits)
        divergence = -0.5 * (1.0 + log_variance - mean**2 - tf.exp(log_variance))
        loss = (tf.reduce_sum(entropy) + tf.reduce_sum(divergence)) / x.shape[0]
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
