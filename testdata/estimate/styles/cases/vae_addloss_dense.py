"""Dense VAE; the KL term is added by a layer, with an encoder inherited from a base class."""
import keras
import numpy as np
from keras import layers, ops


class Coder(keras.Model):
    def __init__(self, widths, act="relu", name=None):
        super().__init__(name=name)
        self.hidden = [layers.Dense(w, activation=act, kernel_initializer="he_normal") for w in widths]

    def trunk(self, x):
        for layer in self.hidden:
            x = layer(x)
        return x


class Encoder(Coder):
    def __init__(self, widths, latent):
        super().__init__(widths, name="encoder")
        self.mu = layers.Dense(latent)
        self.logvar = layers.Dense(latent)
        self.seed = keras.random.SeedGenerator(1337)

    def call(self, x):
        h = self.trunk(x)
        mu, logvar = self.mu(h), self.logvar(h)
        kl = -0.5 * ops.mean(ops.sum(1 + logvar - ops.square(mu) - ops.exp(logvar), axis=-1))
        self.add_loss(kl)
        eps = keras.random.normal(ops.shape(mu), seed=self.seed)
        return mu + eps * ops.exp(0.5 * logvar)


class Decoder(Coder):
    def __init__(self, widths, out):
        super().__init__(widths, act="gelu", name="decoder")
        self.out = layers.Dense(out, activation="sigmoid")

    def call(self, z):
        return self.out(self.trunk(z))


class VAE(keras.Model):
    def __init__(self, dim, widths=(1024, 512, 256), latent=32):
        super().__init__()
        self.encoder = Encoder(widths, latent)
        self.decoder = Decoder(widths[::-1], dim)

    def call(self, x):
        return self.decoder(self.encoder(x))


dim = 32 * 32
vae = VAE(dim)
vae.compile(optimizer=keras.optimizers.Adam(1e-3, use_ema=True, ema_momentum=0.99), loss="mse")
x = np.random.rand(4096, dim).astype("float32")
vae.fit(x, x, batch_size=512, epochs=1)
