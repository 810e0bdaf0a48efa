"""A functional model takes data of one dimension more or less than its input has."""

import keras
import numpy as np
from keras import layers

image = keras.Input((28, 28, 1))
x = layers.Conv2D(8, 3, activation="relu")(image)
x = layers.Flatten()(x)
network = keras.Model(image, layers.Dense(10)(x))


class Trainer(keras.Model):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.extra = layers.Dense(4)

    def call(self, x):
        return self.extra(self.model(x))


trainer = Trainer(network)
trainer.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
trainer.fit(np.zeros((32, 28, 28), "float32"), np.zeros(32), verbose=0)

series = keras.Sequential([keras.Input((12,)), layers.Dense(5)])
wrapped = Trainer(series)
wrapped.compile("adam", "mse", jit_compile=False)
wrapped.fit(np.zeros((32, 12, 1), "float32"), np.zeros((32, 4)), verbose=0)
