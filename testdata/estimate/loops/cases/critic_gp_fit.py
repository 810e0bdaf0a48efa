"""WGAN-GP trained by fit: three passes through a critic of large filters, then the generator."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 128
critic = keras.Sequential([
    keras.Input((28, 28, 1)),
    layers.Conv2D(64, 5, strides=2, padding="same"), layers.LeakyReLU(),
    layers.Conv2D(256, 5, strides=2, padding="same"), layers.LeakyReLU(),
    layers.Conv2D(512, 5, strides=2, padding="same"), layers.LeakyReLU(),
    layers.Flatten(), layers.Dense(1),
])
generator = keras.Sequential([
    keras.Input((LATENT,)), layers.Dense(7 * 7 * 128), layers.Reshape((7, 7, 128)), layers.UpSampling2D(),
    layers.Conv2D(64, 5, padding="same", activation="relu"), layers.UpSampling2D(), layers.Conv2D(1, 5, padding="same", activation="tanh"),
])


class WGAN(keras.Model):
    def __init__(self, critic, generator):
        super().__init__()
        self.critic = critic
        self.generator = generator

    def compile(self, critic_optimizer, generator_optimizer):
        super().compile()
        self.critic_optimizer = critic_optimizer
        self.generator_optimizer = generator_optimizer

    def penalty(self, real, fake):
        alpha = tf.random.uniform((tf.shape(real)[0], 1, 1, 1))
        mixed = real + alpha * (fake - real)
        with tf.GradientTape() as tape:
            tape.watch(mixed)
            scores = self.critic(mixed, training=True)
        slopes = tape.gradient(scores, mixed)
        norm = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=[1, 2, 3]) + 1e-12)
        return tf.reduce_mean(tf.square(norm - 1.0))

    def train_step(self, real):
        noise = tf.random.normal((tf.shape(real)[0], LATENT))
        with tf.GradientTape() as tape:
            fake = self.generator(noise, training=True)
            loss = tf.reduce_mean(self.critic(fake, training=True)) - tf.reduce_mean(self.critic(real, training=True))
            loss += 10.0 * self.penalty(real, fake)
        gradients = tape.gradient(loss, self.critic.trainable_variables)
        self.critic_optimizer.apply_gradients(zip(gradients, self.critic.trainable_variables))
        with tf.GradientTape() as tape:
            generated = -tf.reduce_mean(self.critic(self.generator(noise, training=True), training=True))
        gradients = tape.gradient(generated, self.generator.trainable_variables)
        self.generator_optimizer.apply_gradients(zip(gradients, self.generator.trainable_variables))
        return {"critic": loss, "generator": generated}


gan = WGAN(critic, generator)
gan.compile(keras.optimizers.Adam(1e-4, 0.5), keras.optimizers.Adam(1e-4, 0.5))
gan.fit(tf.data.Dataset.from_tensor_slices(tf.random.normal((320, 28, 28, 1))).batch(32), epochs=1)
