import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class VAE(keras.Model):
    def __init__(self, latent=8):
        super().__init__()
        self.encoder = keras.Sequential([
            layers.Conv2D(32, 4, strides=2, padding="same", activation="relu"),
            layers.Conv2D(64, 4, strides=2, padding="same", activation="relu"),
            layers.Flatten(),
            layers.Dense(2 * latent),
        ])
        self.decoder = keras.Sequential([
            layers.Dense(7 * 7 * 64, activation="relu"),
            layers.Reshape((7, 7, 64)),
            layers.Conv2DTranspose(64, 4, strides=2, padding="same", activation="relu"),
            layers.Conv2DTranspose(32, 4, strides=2, padding="same", activation="relu"),
            layers.Conv2D(1, 3, padding="same"),
        ])

    def call(self, x):
        mean, log_var = tf.split(self.encoder(x), 2, axis=1)
        z = mean + tf.exp(log_var * 0.5) * tf.random.normal(tf.shape(mean))
        return tf.sigmoid(self.decoder(z))


vae = VAE()
x = np.zeros((1000, 28, 28, 1), "float32")
vae.compile(optimizer="adam", loss="mse")
vae.fit(x, x, batch_size=100)
out = vae.predict(x, batch_size=200)
