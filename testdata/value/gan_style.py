# A class that holds two networks and trains them.
import tinylib
from tinylib import Dense, Input


class GAN:
    def __init__(self, latent_dim=100, hidden=(256, 512)):
        self.latent_dim = latent_dim
        self.hidden = hidden
        self.img_shape = (28, 28, 1)
        self.generator = self.build_generator()
        self.discriminator = self.build_discriminator()
        self.combined = self.discriminator(self.generator(Input((self.latent_dim,))))

    def build_generator(self):
        layers = [Dense(n) for n in self.hidden]
        rows, cols, channels = self.img_shape
        layers.append(Dense(rows * cols * channels))
        return self.chain(layers)

    def build_discriminator(self):
        return self.chain([Dense(n) for n in self.hidden[::-1]] + [Dense(1)])

    def chain(self, layers):
        def run(x):
            for layer in layers:
                x = layer(x)
            return x
        run.layers = layers
        return run

    def train(self, epochs, batch_size=128, save_interval=50):
        half = batch_size // 2
        self.history = []
        for epoch in range(epochs):
            if epoch % save_interval == 0:
                self.history.append((epoch, half))
        return self


if __name__ == "__main__":
    gan = GAN(hidden=(16, 32))
    gan.train(epochs=120, batch_size=32)

a = gan.combined.shape  # value: (1,)
b = [layer.units for layer in gan.generator.layers]  # value: [16, 32, 784]
c = gan.generator(Input((2, 5))).shape  # value: (2, 784)
d = gan.history  # value: [(0, 16), (50, 16), (100, 16)]
