"""A tabular model with a gate of its own: the entropy of the gate and the size of what it lets through are in the loss."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Rare(keras.regularizers.Regularizer):
    """Has each unit be on a tenth of the time."""

    def __init__(self, weight=1e-3, target=0.1):
        self.weight, self.target = weight, target

    def __call__(self, x):
        often = tf.reduce_mean(x, axis=0)
        kl = self.target * tf.math.log(self.target / often) + (1.0 - self.target) * tf.math.log((1.0 - self.target) / (1.0 - often))
        return self.weight * tf.reduce_sum(kl)

    def get_config(self):
        return {"weight": self.weight, "target": self.target}


class Gate(layers.Layer):
    def __init__(self, weight=1e-3, **kwargs):
        super().__init__(**kwargs)
        self.weight = weight

    def call(self, h):
        mask = tf.nn.softmax(h)
        entropy = tf.reduce_sum(-mask * tf.math.log(mask + 1e-15), axis=1)
        self.add_loss(self.weight * tf.reduce_mean(entropy))
        return mask * h


class Table(keras.Model):
    def __init__(self, width=1024):
        super().__init__()
        self.wide = layers.Dense(width, activation="relu")
        self.gate = Gate()
        self.rare = layers.Dense(width, activation="sigmoid", activity_regularizer=Rare())
        self.calm = layers.Dense(width // 2, activation="tanh", activity_regularizer=keras.regularizers.l1(1e-6))
        self.out = layers.Dense(8)

    def call(self, x):
        h = self.gate(self.wide(x))
        h = self.calm(self.rare(h))
        self.add_loss(1e-4 * tf.reduce_mean(tf.square(h)))
        return self.out(h)


model = Table()
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="mse", jit_compile=False)
model.fit(np.zeros((16384, 64), "float32"), np.zeros((16384, 8), "float32"), batch_size=4096, epochs=1)
