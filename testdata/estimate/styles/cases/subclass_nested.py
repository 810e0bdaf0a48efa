"""Models within a model, and one that inherits from another of the program."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Encoder(keras.Model):
    def __init__(self, size):
        super().__init__()
        self.flat = layers.Flatten()
        self.dense = layers.Dense(size, activation="relu")

    def call(self, x):
        return self.dense(self.flat(x))


class DeepEncoder(Encoder):
    def __init__(self, size):
        super().__init__(size)
        self.more = layers.Dense(size)

    def call(self, x):
        return self.more(super().call(x))


class AutoEncoder(keras.Model):
    def __init__(self, size=64):
        super().__init__()
        self.encoder = DeepEncoder(size)
        self.decoder = keras.Sequential([layers.Dense(784, activation="sigmoid"), layers.Reshape((28, 28, 1))])

    def call(self, x):
        return self.decoder(self.encoder(x))


model = AutoEncoder()

model.compile("adam", "mse")
model.fit(np.zeros((256, 28, 28, 1), "float32"), np.zeros((256, 28, 28, 1), "float32"), batch_size=64)
