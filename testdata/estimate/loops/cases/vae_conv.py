"""Convolutional VAE with train_step, three trackers."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 16


class Sampling(layers.Layer):
    def call(self, inputs):
        z_mean, z_log_var = inputs
        batch = tf.shape(z_mean)[0]
        dim = tf.shape(z_mean)[1]
        epsilon = tf.random.normal(shape=(batch, dim))
        return z_mean + tf.exp(0.5 * z_log_var) * epsilon


def make_encoder():
    inp = keras.Input(shape=(64, 64, 3))
    x = inp
    for f in [32, 64, 128]:
        x = layers.Conv2D(f, 4, strides=2, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.LeakyReLU(0.2)(x)
    x = layers.Flatten()(x)
    x = layers.Dense(128, activation="relu")(x)
    mean = layers.Dense(LATENT, name="z_mean")(x)
    log_var = layers.Dense(LATENT, name="z_log_var")(x)
    return keras.Model(inp, [mean, log_var, Sampling()([mean, log_var])], name="encoder")


def make_decoder():
    z = keras.Input(shape=(LATENT,))
    x = layers.Dense(8 * 8 * 128, activation="relu")(z)
    x = layers.Reshape((8, 8, 128))(x)
    for f in [128, 64, 32]:
        x = layers.Conv2DTranspose(f, 4, strides=2, padding="same")(x)
        x = layers.BatchNormalization()(x)
        x = layers.LeakyReLU(0.2)(x)
    out = layers.Conv2DTranspose(3, 3, activation="sigmoid", padding="same")(x)
    return keras.Model(z, out, name="decoder")


class VAE(keras.Model):
    def __init__(self, encoder, decoder, beta=1.0, **kwargs):
        super().__init__(**kwargs)
        self.encoder = encoder
        self.decoder = decoder
        self.beta = beta
        self.total = keras.metrics.Mean(name="loss")
        self.rec = keras.metrics.Mean(name="reconstruction")
        self.kl = keras.metrics.Mean(name="kl")

    @property
    def metrics(self):
        return [self.total, self.rec, self.kl]

    def train_step(self, data):
        with tf.GradientTape() as tape:
            mean, log_var, z = self.encoder(data, training=True)
            recon = self.decoder(z, training=True)
            rec = tf.reduce_mean(tf.reduce_sum(keras.losses.binary_crossentropy(data, recon), axis=(1, 2)))
            kl = -0.5 * (1 + log_var - tf.square(mean) - tf.exp(log_var))
            kl = tf.reduce_mean(tf.reduce_sum(kl, axis=1))
            total = rec + self.beta * kl
        grads = tape.gradient(total, self.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.trainable_weights))
        self.total.update_state(total)
        self.rec.update_state(rec)
        self.kl.update_state(kl)
        return {m.name: m.result() for m in self.metrics}


vae = VAE(make_encoder(), make_decoder(), beta=0.5)
vae.compile(optimizer=keras.optimizers.Adam())
vae.fit(np.random.rand(128, 64, 64, 3).astype("float32"), epochs=1, batch_size=32)
