"""A discriminator whose convolutions are in a spectral normalization that extends keras.layers.Wrapper."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE, BATCH, LATENT = 32, 32, 64


class SpectralNorm(layers.Wrapper):
    def __init__(self, layer, **kwargs):
        super().__init__(layer, **kwargs)

    def build(self, input_shape):
        if not self.layer.built:
            self.layer.build(input_shape)
        self.w = self.layer.kernel
        self.w_shape = self.w.shape
        self.u = self.add_weight(shape=(1, self.w_shape[-1]), initializer="random_normal", trainable=False, name="u")
        super().build()

    def call(self, inputs):
        w = tf.reshape(self.w, [-1, self.w_shape[-1]])
        v = tf.math.l2_normalize(tf.matmul(self.u, w, transpose_b=True))
        u = tf.math.l2_normalize(tf.matmul(v, w))
        sigma = tf.matmul(tf.matmul(v, w), u, transpose_b=True)
        self.u.assign(u)
        return self.layer(inputs) / tf.squeeze(sigma)


def discriminator():
    return tf.keras.Sequential([
        layers.Input((SIZE, SIZE, 3)),
        SpectralNorm(layers.Conv2D(64, 4, 2, padding="same")),
        layers.LeakyReLU(0.2),
        SpectralNorm(layers.Conv2D(128, 4, 2, padding="same")),
        layers.LeakyReLU(0.2),
        layers.Flatten(),
        layers.Dense(1),
    ])


def generator():
    return tf.keras.Sequential([
        layers.Input((LATENT,)),
        layers.Dense(8 * 8 * 128),
        layers.Reshape((8, 8, 128)),
        layers.Conv2DTranspose(64, 4, 2, padding="same", activation="relu"),
        layers.Conv2DTranspose(3, 4, 2, padding="same", activation="tanh"),
    ])


D, G = discriminator(), generator()
d_opt, g_opt = tf.keras.optimizers.Adam(2e-4), tf.keras.optimizers.Adam(2e-4)


@tf.function
def train_step(real):
    noise = tf.random.normal((BATCH, LATENT))
    with tf.GradientTape() as d_tape, tf.GradientTape() as g_tape:
        fake = G(noise, training=True)
        scores, faked = D(real, training=True), D(fake, training=True)
        d_loss = tf.reduce_mean(tf.nn.relu(1.0 - scores)) + tf.reduce_mean(tf.nn.relu(1.0 + faked))
        g_loss = -tf.reduce_mean(faked)
    d_opt.apply_gradients(zip(d_tape.gradient(d_loss, D.trainable_variables), D.trainable_variables))
    g_opt.apply_gradients(zip(g_tape.gradient(g_loss, G.trainable_variables), G.trainable_variables))


for real in tf.data.Dataset.from_tensor_slices(np.zeros((128, SIZE, SIZE, 3), np.float32)).batch(BATCH):
    train_step(real)
