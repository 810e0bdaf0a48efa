"""A variational autoencoder: a sampling layer and two functional models in a class."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        batch, dim = tf.shape(mean)[0], tf.shape(mean)[1]
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(shape=(batch, dim))


def encoder(latent):
    x = inputs = keras.Input((28, 28, 1))
    for filters in (16, 32):
        x = layers.Conv2D(filters, 3, strides=2, padding="same", activation="relu")(x)
    x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
    mean, log_var = layers.Dense(latent)(x), layers.Dense(latent)(x)
    return keras.Model(inputs, [mean, log_var, Sampling()([mean, log_var])], name="encoder")


def decoder(latent):
    inputs = keras.Input((latent,))
    x = layers.Dense(7 * 7 * 32, activation="relu")(inputs)
    x = layers.Reshape((7, 7, 32))(x)
    for filters in (32, 16):
        x = layers.Conv2DTranspose(filters, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(inputs, layers.Conv2DTranspose(1, 3, padding="same")(x), name="decoder")


class VAE(keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.encoder, self.decoder = encoder(latent), decoder(latent)

    def call(self, x):
        mean, log_var, z = self.encoder(x)
        return self.decoder(z)


model = VAE(2)

model.compile("adam", "mse")
model.fit(np.zeros((128, 28, 28, 1), "float32"), np.zeros((128, 28, 28, 1), "float32"), batch_size=32)
