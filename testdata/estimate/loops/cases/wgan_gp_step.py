"""WGAN-GP in train_step, with two optimizers and the gradient penalty's second order tape."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

IMG_SHAPE = (32, 32, 3)
NOISE = 64


def conv_block(x, filters, drop=False):
    x = layers.Conv2D(filters, 5, strides=2, padding="same")(x)
    x = layers.LeakyReLU(0.2)(x)
    if drop:
        x = layers.Dropout(0.3)(x)
    return x


def discriminator():
    inp = layers.Input(shape=IMG_SHAPE)
    x = conv_block(inp, 32)
    x = conv_block(x, 64, drop=True)
    x = conv_block(x, 128, drop=True)
    x = layers.Flatten()(x)
    return keras.Model(inp, layers.Dense(1)(x), name="critic")


def generator():
    noise = layers.Input(shape=(NOISE,))
    x = layers.Dense(4 * 4 * 128, use_bias=False)(noise)
    x = layers.BatchNormalization()(x)
    x = layers.LeakyReLU(0.2)(x)
    x = layers.Reshape((4, 4, 128))(x)
    for f in (64, 32, 3):
        x = layers.UpSampling2D((2, 2))(x)
        x = layers.Conv2D(f, 3, padding="same", use_bias=False)(x)
        x = layers.BatchNormalization()(x)
        x = layers.LeakyReLU(0.2)(x) if f != 3 else layers.Activation("tanh")(x)
    return keras.Model(noise, x, name="generator")


class WGAN(keras.Model):
    def __init__(self, critic, gen, latent_dim, critic_steps=2, gp_weight=10.0):
        super().__init__()
        self.critic = critic
        self.gen = gen
        self.latent_dim = latent_dim
        self.d_steps = critic_steps
        self.gp_weight = gp_weight

    def compile(self, d_optimizer, g_optimizer, d_loss_fn, g_loss_fn):
        super().compile()
        self.d_optimizer = d_optimizer
        self.g_optimizer = g_optimizer
        self.d_loss_fn = d_loss_fn
        self.g_loss_fn = g_loss_fn

    def gradient_penalty(self, batch_size, real, fake):
        alpha = tf.random.uniform([batch_size, 1, 1, 1], 0.0, 1.0)
        interpolated = real + alpha * (fake - real)
        with tf.GradientTape() as gp_tape:
            gp_tape.watch(interpolated)
            pred = self.critic(interpolated, training=True)
        grads = gp_tape.gradient(pred, [interpolated])[0]
        norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=[1, 2, 3]))
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real):
        if isinstance(real, tuple):
            real = real[0]
        batch_size = tf.shape(real)[0]
        for i in range(self.d_steps):
            z = tf.random.normal((batch_size, self.latent_dim))
            with tf.GradientTape() as tape:
                fake = self.gen(z, training=True)
                fake_logits = self.critic(fake, training=True)
                real_logits = self.critic(real, training=True)
                d_cost = self.d_loss_fn(real_logits, fake_logits)
                gp = self.gradient_penalty(batch_size, real, fake)
                d_loss = d_cost + gp * self.gp_weight
            grads = tape.gradient(d_loss, self.critic.trainable_variables)
            self.d_optimizer.apply_gradients(zip(grads, self.critic.trainable_variables))
        z = tf.random.normal((batch_size, self.latent_dim))
        with tf.GradientTape() as tape:
            g_loss = self.g_loss_fn(self.critic(self.gen(z, training=True), training=True))
        grads = tape.gradient(g_loss, self.gen.trainable_variables)
        self.g_optimizer.apply_gradients(zip(grads, self.gen.trainable_variables))
        return {"d_loss": d_loss, "g_loss": g_loss}


wgan = WGAN(discriminator(), generator(), NOISE)
wgan.compile(
    d_optimizer=keras.optimizers.Adam(0.0002, beta_1=0.5, beta_2=0.9),
    g_optimizer=keras.optimizers.Adam(0.0002, beta_1=0.5, beta_2=0.9),
    d_loss_fn=lambda r, f: tf.reduce_mean(f) - tf.reduce_mean(r),
    g_loss_fn=lambda f: -tf.reduce_mean(f),
)
images = np.random.uniform(-1, 1, (128,) + IMG_SHAPE).astype("float32")
wgan.fit(images, batch_size=32, epochs=1)
