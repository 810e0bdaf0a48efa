import numpy as np
import keras
from keras import layers, ops, random


class Sampling(layers.Layer):
    """Draws z and adds the KL term to the losses."""

    def __init__(self, beta=1.0, **kwargs):
        super().__init__(**kwargs)
        self.beta = beta
        self.seed_generator = random.SeedGenerator(1337)

    def call(self, inputs):
        z_mean, z_log_var = inputs
        kl = -0.5 * ops.mean(ops.sum(1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var), axis=-1))
        self.add_loss(self.beta * kl)
        eps = random.normal(shape=ops.shape(z_mean), seed=self.seed_generator)
        return z_mean + ops.exp(0.5 * z_log_var) * eps


def res_down(x, f):
    h = layers.Conv2D(f, 3, strides=2, padding="same")(x)
    h = layers.GroupNormalization(16)(h)
    h = layers.Activation("silu")(h)
    h = layers.Conv2D(f, 3, padding="same")(h)
    return layers.add([h, layers.Conv2D(f, 1, strides=2)(x)])


def res_up(x, f):
    x = layers.UpSampling2D(interpolation="bilinear")(x)
    h = layers.Conv2D(f, 3, padding="same")(x)
    h = layers.GroupNormalization(16)(h)
    h = layers.Activation("silu")(h)
    h = layers.Conv2D(f, 3, padding="same")(h)
    return layers.add([h, layers.Conv2D(f, 1)(x)])


image = keras.Input((64, 64, 3))
x = image
for f in (32, 64, 128):
    x = res_down(x, f)
x = layers.Flatten()(x)
z_mean = layers.Dense(128, name="z_mean")(x)
z_log_var = layers.Dense(128, name="z_log_var")(x)
z = Sampling(beta=4.0)([z_mean, z_log_var])
encoder = keras.Model(image, [z_mean, z_log_var, z], name="encoder")

latent = keras.Input((128,))
x = layers.Dense(8 * 8 * 128)(latent)
x = layers.Reshape((8, 8, 128))(x)
for f in (128, 64, 32):
    x = res_up(x, f)
recon = layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)
decoder = keras.Model(latent, recon, name="decoder")

vae = keras.Model(image, decoder(encoder(image)[2]), name="beta_vae")


def reconstruction(y, p):
    return ops.sum(keras.losses.binary_crossentropy(y, p), axis=(1, 2))


vae.compile(optimizer=keras.optimizers.Adamax(1e-3), loss=reconstruction)
data = np.random.rand(192, 64, 64, 3).astype("float32")
vae.fit(data, data, batch_size=32, epochs=1)
