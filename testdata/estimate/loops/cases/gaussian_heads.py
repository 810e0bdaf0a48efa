"""An autoencoder with distributions of TensorFlow Probability: a KL of two Normals and a Bernoulli of pixels."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers
from tensorflow_probability import distributions as tfd

PIXELS, LATENT, BATCH = 784, 64, 256

encoder = tf.keras.Sequential([
    layers.Input((PIXELS,)), layers.Dense(512, activation="relu"), layers.Dense(256, activation="relu"), layers.Dense(2 * LATENT),
])
decoder = tf.keras.Sequential([
    layers.Input((LATENT,)), layers.Dense(256, activation="relu"), layers.Dense(512, activation="relu"), layers.Dense(PIXELS),
])
optimizer = tf.keras.optimizers.Adam(1e-3)
variables = encoder.trainable_variables + decoder.trainable_variables


def make_step(encoder, decoder, optimizer):
    @tf.function
    def train_step(x):
        with tf.GradientTape() as tape:
            mean, log_scale = tf.split(encoder(x, training=True), 2, axis=-1)
            posterior = tfd.Normal(mean, tf.exp(log_scale))
            prior = tfd.Normal(tf.zeros_like(mean), tf.ones_like(mean))
            pixels = tfd.Bernoulli(logits=decoder(posterior.sample(), training=True))
            kl = tf.reduce_sum(tfd.kl_divergence(posterior, prior), axis=-1)
            likelihood = tf.reduce_sum(pixels.log_prob(x), axis=-1)
            loss = tf.reduce_mean(kl - likelihood)
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables))
        return loss

    return train_step


step = make_step(encoder, decoder, optimizer)
for x in tf.data.Dataset.from_tensor_slices(np.zeros((2048, PIXELS), np.float32)).batch(BATCH):
    step(x)
