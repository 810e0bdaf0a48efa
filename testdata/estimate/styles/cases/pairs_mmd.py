"""An autoencoder's loss with the kernels of all pairs of three widths (maximum mean discrepancy)."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def kernel(a, b):
    d = tf.reduce_sum(tf.square(tf.expand_dims(a, 1) - tf.expand_dims(b, 0)), axis=2)
    return tf.add_n([tf.exp(-d / (2.0 * s * s)) for s in (0.5, 1.0, 2.0)])


def mmd(x, z):
    pairs = tf.reduce_mean(kernel(x, x)) + tf.reduce_mean(kernel(z, z)) - 2.0 * tf.reduce_mean(kernel(x, z))
    return pairs + tf.reduce_mean(tf.square(x - z))


model = keras.Sequential([
    keras.Input((24,)),
    layers.Dense(128, activation="relu"),
    layers.Dense(24),
])
model.compile("adam", loss=mmd)
data = np.zeros((4096, 24), "float32")
model.fit(data, data, batch_size=512)
