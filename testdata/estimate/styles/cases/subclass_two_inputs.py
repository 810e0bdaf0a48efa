"""call takes a tuple of inputs and returns two outputs."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Two(keras.Model):
    def __init__(self):
        super().__init__()
        self.image = keras.Sequential([layers.Conv2D(8, 3), layers.GlobalMaxPooling2D()])
        self.table = layers.Dense(8, activation="relu")
        self.score = layers.Dense(1)
        self.kind = layers.Dense(5)

    def call(self, inputs):
        image, table = inputs
        x = layers.concatenate([self.image(image), self.table(table)])
        return self.score(x), self.kind(x)


model = Two()
model.compile("adam", ["mse", "mse"])
model.fit((np.zeros((64, 24, 24, 3), "float32"), np.zeros((64, 12), "float32")),
          (np.zeros((64, 1), "float32"), np.zeros((64, 5), "float32")), batch_size=16)
