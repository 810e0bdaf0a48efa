"""Three passes through one critic of dense layers: the third is differentiated twice."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

WIDTH, LATENT = 1024, 64
critic = keras.Sequential([
    keras.Input((784,)), layers.Dense(WIDTH), layers.LeakyReLU(), layers.Dense(WIDTH), layers.LeakyReLU(), layers.Dense(1),
])
generator = keras.Sequential([keras.Input((LATENT,)), layers.Dense(256, activation="relu"), layers.Dense(784, activation="tanh")])
optimizer = keras.optimizers.Adam(1e-4, beta_1=0.5)


@tf.function
def critic_step(real):
    noise = tf.random.normal((tf.shape(real)[0], LATENT))
    with tf.GradientTape() as tape:
        fake = generator(noise, training=True)
        alpha = tf.random.uniform((tf.shape(real)[0], 1))
        mixed = real + alpha * (fake - real)
        with tf.GradientTape() as inner:
            inner.watch(mixed)
            scores = critic(mixed, training=True)
        slopes = inner.gradient(scores, mixed)
        norm = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=1) + 1e-12)
        penalty = tf.reduce_mean(tf.square(norm - 1.0))
        loss = tf.reduce_mean(critic(fake, training=True)) - tf.reduce_mean(critic(real, training=True)) + 10.0 * penalty
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    return loss


for batch in tf.data.Dataset.from_tensor_slices(tf.random.normal((1280, 784))).batch(64):
    critic_step(batch)
