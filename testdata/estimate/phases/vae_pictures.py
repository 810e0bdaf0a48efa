import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        epsilon = tf.random.normal(tf.shape(mean))
        return mean + tf.exp(0.5 * log_var) * epsilon


i = keras.Input((64, 64, 1))
x = layers.Conv2D(32, 3, activation="relu", strides=2, padding="same")(i)
x = layers.Conv2D(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Flatten()(x)
x = layers.Dense(64, activation="relu")(x)
mean = layers.Dense(16)(x)
log_var = layers.Dense(16)(x)
z = Sampling()([mean, log_var])
encoder = keras.Model(i, [mean, log_var, z])
latent = keras.Input((16,))
x = layers.Dense(16 * 16 * 64, activation="relu")(latent)
x = layers.Reshape((16, 16, 64))(x)
x = layers.Conv2DTranspose(64, 3, activation="relu", strides=2, padding="same")(x)
x = layers.Conv2DTranspose(32, 3, activation="relu", strides=2, padding="same")(x)
decoder = keras.Model(latent, layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(x))

rolls = np.zeros((512, 64, 64, 1), "float32")
mean, log_var, z = encoder.predict(rolls, batch_size=64)
pictures = decoder.predict(z, batch_size=64)
more = decoder.predict(np.random.normal(size=(100, 16)))
one = decoder.predict(np.zeros((1, 16), "float32"))
