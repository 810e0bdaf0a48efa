"""WGAN-GP in a function, whose critic makes tensors of more than 10 MiB of a batch."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

BATCH_SIZE = 256
NOISE = 32

critic = keras.Sequential([
    keras.Input((28, 28, 1)),
    layers.Conv2D(64, 5, strides=2, padding="same"),
    layers.LeakyReLU(0.2),
    layers.Dropout(0.3),
    layers.Conv2D(128, 5, strides=2, padding="same"),
    layers.LeakyReLU(0.2),
    layers.Dropout(0.3),
    layers.Flatten(),
    layers.Dense(1),
])
generator = keras.Sequential([
    keras.Input((NOISE,)),
    layers.Dense(7 * 7 * 256, use_bias=False),
    layers.BatchNormalization(),
    layers.LeakyReLU(0.2),
    layers.Reshape((7, 7, 256)),
    layers.Conv2DTranspose(128, 5, padding="same", use_bias=False),
    layers.BatchNormalization(),
    layers.LeakyReLU(0.2),
    layers.Conv2DTranspose(64, 5, strides=2, padding="same", use_bias=False),
    layers.BatchNormalization(),
    layers.LeakyReLU(0.2),
    layers.Conv2DTranspose(1, 5, strides=2, padding="same", use_bias=False, activation="tanh"),
])
critic_optimizer = keras.optimizers.Adam(1e-4, beta_1=0.5)
generator_optimizer = keras.optimizers.Adam(1e-4, beta_1=0.5)


def penalty(real, fake):
    mix = tf.random.uniform([BATCH_SIZE, 1, 1, 1])
    between = real + mix * (fake - real)
    with tf.GradientTape() as tape:
        tape.watch(between)
        scores = critic(between, training=True)
    slopes = tape.gradient(scores, between)
    norms = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=[1, 2, 3]))
    return tf.reduce_mean((norms - 1.0) ** 2)


@tf.function
def train_step(real):
    noise = tf.random.normal([BATCH_SIZE, NOISE])
    with tf.GradientTape() as critic_tape, tf.GradientTape() as generator_tape:
        fake = generator(noise, training=True)
        fake_scores = critic(fake, training=True)
        generator_loss = -tf.reduce_mean(fake_scores)
        critic_loss = tf.reduce_mean(fake_scores) - tf.reduce_mean(critic(real, training=True)) + 10.0 * penalty(real, fake)
    gradients = critic_tape.gradient(critic_loss, critic.trainable_variables)
    critic_optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    gradients = generator_tape.gradient(generator_loss, generator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gradients, generator.trainable_variables))
    return critic_loss, generator_loss


pictures = tf.random.uniform([2560, 28, 28, 1], -1.0, 1.0)
for batch in tf.data.Dataset.from_tensor_slices(pictures).batch(BATCH_SIZE, drop_remainder=True):
    train_step(batch)
