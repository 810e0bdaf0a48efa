"""A recommender whose hidden layers end in a PReLU each."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


class Tower(keras.Model):
    def __init__(self, widths):
        super().__init__()
        self.table = layers.Embedding(20_000, 32)
        self.flatten = layers.Flatten()
        self.hidden = [layers.Dense(n, activation=layers.PReLU()) for n in widths]
        self.out = layers.Dense(1, activation="sigmoid")

    def call(self, ids):
        x = self.flatten(self.table(ids))
        for layer in self.hidden:
            x = layer(x)
        return self.out(x)


model = Tower([512, 256, 128])
model.compile("adam", "binary_crossentropy")
model.fit(np.zeros((1024, 40), "int32"), np.zeros((1024, 1), "float32"), batch_size=256)
