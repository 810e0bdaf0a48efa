# What a constructor and build set is no need of the step.
import keras
import tensorflow as tf


class Net(keras.Model):
    def __init__(self, units=3):
        super().__init__()
        self.units = units
        if units > 2:
            self.extra = keras.layers.Dense(1)

    def build(self, shape):
        self.dense = keras.layers.Dense(self.units)

    def call(self, x, training=False):
        if training:
            x = x * 2
        return self.dense(x)


model = Net()
model.compile("adam", "mse", run_eagerly=True)  # want "With run_eagerly=True each training step runs eagerly"
model.fit(x, y)
