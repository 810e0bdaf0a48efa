"""A VAE of convolutions; the layer that draws adds the KL term, of a wide latent map, to the loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIZE, LATENT = 64, 64


class Sampling(layers.Layer):
    def __init__(self, beta=1e-3, **kwargs):
        super().__init__(**kwargs)
        self.beta = beta

    def call(self, inputs):
        mean, log_var = inputs
        kl = -0.5 * (1.0 + log_var - tf.square(mean) - tf.exp(log_var))
        self.add_loss(self.beta * tf.reduce_mean(tf.reduce_sum(kl, axis=[1, 2, 3])))
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean))


def encoder():
    image = keras.Input((SIZE, SIZE, 3))
    x = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(image)
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    mean = layers.Conv2D(LATENT, 1)(x)
    log_var = layers.Conv2D(LATENT, 1)(x)
    return keras.Model(image, Sampling()([mean, log_var]), name="encoder")


def decoder():
    z = keras.Input((SIZE // 2, SIZE // 2, LATENT))
    x = layers.Conv2D(64, 3, padding="same", activation="relu")(z)
    x = layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(z, layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x), name="decoder")


image = keras.Input((SIZE, SIZE, 3))
vae = keras.Model(image, decoder()(encoder()(image)), name="vae")
vae.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy", jit_compile=False)
images = np.random.rand(128, SIZE, SIZE, 3).astype("float32")
vae.fit(images, images, batch_size=32, epochs=1)
