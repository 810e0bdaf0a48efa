"""The VAE of Keras 2's own examples: its loss is added to the model, which is compiled with none."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import backend as K
from tensorflow.keras import layers


def sampling(args):
    mean, log_var = args
    return mean + K.exp(0.5 * log_var) * K.random_normal(shape=(K.shape(mean)[0], 512))


image = keras.Input((784,))
h = layers.Dense(1024, activation="relu")(image)
mean, log_var = layers.Dense(512)(h), layers.Dense(512)(h)
z = layers.Lambda(sampling)([mean, log_var])
h = layers.Dense(1024, activation="relu")(z)
out = layers.Dense(784, activation="sigmoid")(h)
vae = keras.Model(image, out)
rec = keras.losses.binary_crossentropy(image, out) * 784
kl = -0.5 * K.sum(1 + log_var - K.square(mean) - K.exp(log_var), axis=-1)
vae.add_loss(K.mean(rec + kl))
vae.compile(optimizer="rmsprop")
vae.fit(np.zeros((16384, 784), "float32"), batch_size=4096)
