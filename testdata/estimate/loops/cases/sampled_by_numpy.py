"""An autoencoder that reads the shape of its noise from a NumPy copy of a tensor, step by step."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

DIM, LATENT, BATCH = 784, 32, 128


def sampling(mean, log_var):
    shape = np.shape(mean.numpy())
    return mean + tf.exp(0.5 * log_var) * tf.random.normal(shape)


class Encoder(layers.Layer):
    def __init__(self):
        super().__init__()
        self.h0 = layers.Dense(512, activation="relu")
        self.h1 = layers.Dense(256, activation="relu")
        self.mean = layers.Dense(LATENT)
        self.log_var = layers.Dense(LATENT)

    def call(self, inputs):
        h = self.h1(self.h0(inputs))
        mean, log_var = self.mean(h), self.log_var(h)
        return mean, log_var, sampling(mean, log_var)


class Decoder(layers.Layer):
    def __init__(self):
        super().__init__()
        self.h0 = layers.Dense(256, activation="relu")
        self.h1 = layers.Dense(512, activation="relu")
        self.out = layers.Dense(DIM, activation="sigmoid")

    def call(self, z):
        return self.out(self.h1(self.h0(z)))


class Autoencoder(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = Encoder(), Decoder()

    def call(self, inputs):
        mean, log_var, z = self.encoder(inputs)
        return self.decoder(z), mean, log_var


model = Autoencoder()
optimizer = tf.keras.optimizers.Adam(1e-3)
mse = tf.keras.losses.MeanSquaredError()
data = np.zeros((8 * BATCH, DIM), np.float32)
for step, x in enumerate(tf.data.Dataset.from_tensor_slices(data).shuffle(256).batch(BATCH)):
    with tf.GradientTape() as tape:
        rebuilt, mean, log_var = model(x)
        loss = mse(x, rebuilt)
        loss += -0.5 * tf.reduce_mean(log_var - tf.square(mean) - tf.exp(log_var) + 1)
    grads = tape.gradient(loss, model.trainable_weights)
    optimizer.apply_gradients(zip(grads, model.trainable_weights))
