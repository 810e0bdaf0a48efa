"""Three passes through one critic of large filters, with the gradient penalty of the first."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 64


def make_critic():
    x = inputs = keras.Input((32, 32, 3))
    for filters in (64, 128, 256, 512):
        x = layers.Conv2D(filters, 5, strides=2, padding="same")(x)
        x = layers.LeakyReLU()(x)
    return keras.Model(inputs, layers.Dense(1)(layers.Flatten()(x)))


critic = make_critic()
generator = keras.Sequential([
    keras.Input((LATENT,)), layers.Dense(8 * 8 * 64), layers.Reshape((8, 8, 64)),
    layers.Conv2DTranspose(32, 4, strides=2, padding="same", activation="relu"),
    layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh"),
])
optimizer = keras.optimizers.Adam(1e-4, beta_1=0.5)


@tf.function
def critic_step(real):
    noise = tf.random.normal((tf.shape(real)[0], LATENT))
    with tf.GradientTape() as tape:
        fake = generator(noise, training=True)
        real_scores = critic(real, training=True)
        fake_scores = critic(fake, training=True)
        alpha = tf.random.uniform((tf.shape(real)[0], 1, 1, 1))
        mixed = real + alpha * (fake - real)
        with tf.GradientTape() as inner:
            inner.watch(mixed)
            scores = critic(mixed, training=True)
        slopes = inner.gradient(scores, mixed)
        norm = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=[1, 2, 3]) + 1e-12)
        loss = tf.reduce_mean(fake_scores) - tf.reduce_mean(real_scores) + 10.0 * tf.reduce_mean(tf.square(norm - 1.0))
    gradients = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(gradients, critic.trainable_variables))
    return loss


for batch in tf.data.Dataset.from_tensor_slices(tf.random.normal((320, 32, 32, 3))).batch(16):
    critic_step(batch)
