"""get_config and from_config, and a model built by calling it on an Input."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Scaled(keras.Model):
    def __init__(self, units, factor=2.0, **kwargs):
        super().__init__(**kwargs)
        self.units = units
        self.factor = factor
        self.dense = layers.Dense(units)

    def call(self, x):
        return self.dense(x) * self.factor

    def get_config(self):
        config = super().get_config()
        config.update({"units": self.units, "factor": self.factor})
        return config


core = Scaled(units=32, name="core")
inputs = keras.Input((20,))
model = keras.Model(inputs, layers.Dense(3)(core(inputs)))

model.compile("adam", "mse")
model.fit(np.zeros((64, 20), "float32"), np.zeros((64, 3), "float32"), batch_size=16)
