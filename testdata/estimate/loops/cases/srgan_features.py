"""SRGAN: a function trains a generator by a discriminator and by VGG19, a global, and then the discriminator."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

SIZE = 48
generator_inputs = keras.Input((SIZE // 2, SIZE // 2, 3))
x = layers.Conv2D(64, 3, padding="same", activation="relu")(generator_inputs)
x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
x = layers.Conv2DTranspose(32, 4, strides=2, padding="same", activation="relu")(x)
generator = keras.Model(generator_inputs, layers.Conv2D(3, 3, padding="same", activation="tanh")(x))
discriminator = keras.Sequential([
    keras.Input((SIZE, SIZE, 3)),
    layers.Conv2D(64, 4, strides=2, padding="same"),
    layers.LeakyReLU(),
    layers.Conv2D(128, 4, strides=2, padding="same"),
    layers.LeakyReLU(),
    layers.Flatten(),
    layers.Dense(1),
])
vgg = keras.applications.VGG19(include_top=False, weights=None, input_shape=(SIZE, SIZE, 3))
vgg.trainable = False
features = keras.Model(vgg.input, vgg.layers[9].output)
bce = keras.losses.BinaryCrossentropy(from_logits=True)
mse = keras.losses.MeanSquaredError()
g_optimizer = keras.optimizers.Adam(1e-4)
d_optimizer = keras.optimizers.Adam(1e-4)


def content_loss(hr, sr):
    return mse(features(hr), features(sr))


@tf.function
def train_step(lr, hr):
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        sr = generator(lr, training=True)
        real = discriminator(hr, training=True)
        fake = discriminator(sr, training=True)
        g_loss = content_loss(hr, sr) + 1e-3 * bce(tf.ones_like(fake), fake)
        d_loss = bce(tf.ones_like(real), real) + bce(tf.zeros_like(fake), fake)
    g_gradients = g_tape.gradient(g_loss, generator.trainable_variables)
    d_gradients = d_tape.gradient(d_loss, discriminator.trainable_variables)
    g_optimizer.apply_gradients(zip(g_gradients, generator.trainable_variables))
    d_optimizer.apply_gradients(zip(d_gradients, discriminator.trainable_variables))
    return g_loss, d_loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((80, SIZE // 2, SIZE // 2, 3), "float32"), np.zeros((80, SIZE, SIZE, 3), "float32")))
for lr, hr in data.batch(8):
    train_step(lr, hr)
