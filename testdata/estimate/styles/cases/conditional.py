"""Layers that arguments switch on and off, and a property."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Configurable(keras.Model):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.norm = layers.BatchNormalization() if config["norm"] else None
        self.drop = layers.Dropout(config.get("rate", 0.0)) if config.get("rate") else None
        self.net = [layers.Dense(n, activation=config["activation"]) for n in config["sizes"]]
        self.last = layers.Dense(config["classes"])

    @property
    def depth(self):
        return len(self.net)

    def call(self, x, training=False):
        for i in range(self.depth):
            x = self.net[i](x)
            if self.norm is not None and i == 0:
                x = self.norm(x, training=training)
        if training and self.drop is not None:
            x = self.drop(x)
        return self.last(x)


model = Configurable({"norm": True, "rate": 0.25, "activation": "elu", "sizes": (64, 64, 32), "classes": 9})

model.compile("adam", "mse")
model.fit(np.zeros((128, 33), "float32"), np.zeros((128, 9), "float32"), batch_size=32)
