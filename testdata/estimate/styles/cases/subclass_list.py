"""Layers in a list that a loop makes, and a dictionary of heads."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Tower(keras.Model):
    def __init__(self, widths):
        super().__init__()
        self.stack = [layers.Dense(w, activation="relu") for w in widths]
        self.norms = []
        for _ in widths:
            self.norms.append(layers.BatchNormalization())
        self.heads = {"mean": layers.Dense(4), "spread": layers.Dense(4)}

    def call(self, x):
        for dense, norm in zip(self.stack, self.norms):
            x = norm(dense(x))
        return tf.concat([self.heads["mean"](x), self.heads["spread"](x)], axis=-1)


model = Tower([256, 128, 64])

model.compile("adam", "mse")
model.fit(np.zeros((512, 60), "float32"), np.zeros((512, 8), "float32"), batch_size=128)
