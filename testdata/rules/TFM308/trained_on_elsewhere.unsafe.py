"""Nothing calls these methods here, and what they train on comes from the caller."""
from abc import ABC, abstractmethod

import numpy as np
from tensorflow.keras.layers import Dense, Input
from tensorflow.keras.models import Model


class Generative(ABC):
    def __init__(self, width, real, noise):
        self.real = real
        self.noise = noise
        self.generator = self.build(width)

    def build(self, width):
        x = Input((width,))
        return Model(x, Dense(3)(x))

    def decode(self, vectors):
        return self.generator.predict_on_batch(vectors)  # want "hint: predict\(\) is called for one mini-batch in every iteration of a training loop\. Each call in the loop on line 39 builds"

    @abstractmethod
    def train(self, size=32, steps=1):
        pass


class Adversarial(Generative):
    def __init__(self, width, real, noise):
        super().__init__(width, real, noise)
        x = Input((3,))
        self.critic = Model(x, Dense(1)(x))
        self.critic.compile("adam", "mse")
        self.features = Model(x, Dense(8)(x))
        self.both = Model(x, Dense(8)(x))
        self.both.compile("adam", "mse")

    def train(self, size=32, steps=1):
        ones = np.ones((size, 1))
        for i in range(0, steps, 2):
            real = self.real(size)
            fake = self.decode(self.noise(size))
            self.critic.train_on_batch(real, ones)
            self.critic.train_on_batch(fake, 0 * ones)

    def follow(self, loader, epochs, size=1):
        for epoch in range(epochs):
            low, high = loader.load(size)
            seen = self.features.predict_on_batch(high)  # want "hint: predict\(\) is called for one mini-batch in every iteration of a training loop\. Each call in the loop on line 46 builds"
            self.both.train_on_batch(low, [seen])
            if epoch % 50 == 0:
                self.critic.train_on_batch(self.generator.predict(loader.load(2)), np.ones(2))
        self.critic.train_on_batch(self.generator.predict(loader.load(2)), np.ones(2))
