"""Models that are made of others, and train them in a step of their own."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

NOISE = 24


def make_generator(width=32):
    return keras.Sequential(
        [
            keras.Input((NOISE,)),
            layers.Dense(7 * 7 * width),
            layers.Reshape((7, 7, width)),
            layers.Conv2DTranspose(width, 4, strides=2, padding="same"),
            layers.BatchNormalization(),
            layers.LeakyReLU(negative_slope=0.2),
            layers.Conv2DTranspose(1, 4, strides=2, padding="same", activation="sigmoid"),
        ],
        name="generator",
    )


def make_critic():
    image = keras.Input((28, 28, 1))
    x = image
    for width in (16, 32):
        x = layers.Conv2D(width, 4, strides=2, padding="same")(x)
        x = layers.LeakyReLU(negative_slope=0.2)(x)
    x = layers.GlobalMaxPooling2D()(x)
    return keras.Model(image, layers.Dense(1)(x), name="critic")


class Adversarial(keras.Model):
    """Two networks against each other: there is nothing to call."""

    def __init__(self, generator, critic, noise):
        super().__init__()
        self.generator = generator
        self.critic = critic
        self.noise = noise
        self.seeds = keras.random.SeedGenerator(7)
        self.tracker = keras.metrics.Mean(name="loss")

    @property
    def metrics(self):
        return [self.tracker]

    def train_step(self, images):
        count = tf.shape(images)[0]
        noise = tf.random.normal((count, self.noise))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self.critic(self.generator(noise))) - tf.reduce_mean(self.critic(images))
        gradients = tape.gradient(loss, self.critic.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.critic.trainable_weights))
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}


images = np.zeros((64, 28, 28, 1), "float32")
gan = Adversarial(make_generator(), make_critic(), NOISE)
gan.compile(optimizer=keras.optimizers.Adam(1e-4), jit_compile=False)
gan.fit(tf.data.Dataset.from_tensor_slices(images).batch(32), epochs=1, verbose=0)


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_variance = inputs
        return mean + ops.exp(0.5 * log_variance) * keras.random.normal(ops.shape(mean))


class Autoencoder(keras.Model):
    """Its parts are built by the step: their inputs are not declared."""

    def __init__(self, latent):
        super().__init__()
        self.encoder = keras.Sequential([layers.Flatten(), layers.Dense(48, activation="relu")])
        self.mean = layers.Dense(latent)
        self.spread = layers.Dense(latent)
        self.sampling = Sampling()
        self.decoder = keras.Sequential([layers.Dense(48, activation="relu"), layers.Dense(28 * 28), layers.Reshape((28, 28, 1))])

    def train_step(self, data):
        with tf.GradientTape() as tape:
            hidden = self.encoder(data, training=True)
            code = self.sampling((self.mean(hidden), self.spread(hidden)))
            loss = ops.mean(ops.square(data - self.decoder(code, training=True)))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_weights), self.trainable_weights))
        return {"loss": loss}


autoencoder = Autoencoder(latent=6)
autoencoder.compile(optimizer="adam", jit_compile=False)
autoencoder.fit(images, batch_size=16, epochs=1, verbose=0)


class Distiller(keras.Model):
    """A teacher that learns nothing more, and a student."""

    def __init__(self, teacher, student):
        super().__init__()
        teacher.trainable = False
        self.networks = {"teacher": teacher, "student": student}

    def train_step(self, data):
        x, _ = data
        with tf.GradientTape() as tape:
            told = self.networks["teacher"](x, training=False)
            said = self.networks["student"](x, training=True)
            loss = ops.mean(keras.losses.kl_divergence(ops.softmax(told), ops.softmax(said)))
        weights = self.networks["student"].trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return {"loss": loss}


def classifier(width):
    return keras.Sequential([keras.Input((28, 28, 1)), layers.Flatten(), layers.Dense(width, "relu"), layers.Dense(10)])


distiller = Distiller(classifier(96), classifier(12))
distiller.compile(optimizer="adam", jit_compile=False)
distiller.fit(images, np.zeros(64), epochs=1, verbose=0)
