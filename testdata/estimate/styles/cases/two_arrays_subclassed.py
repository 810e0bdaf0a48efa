import numpy as np
import keras
from keras import layers

class Two(keras.Model):
    def __init__(self):
        super().__init__()
        self.a = layers.Dense(512, activation="relu")
        self.b = layers.Dense(512, activation="relu")
        self.out = layers.Dense(1)

    def call(self, inputs):
        x1, x2 = inputs
        return self.out(layers.concatenate([self.a(x1), self.b(x2)]))

x1 = np.zeros((8192, 64), "float32")
x2 = np.zeros((8192, 32), "float32")
y = np.zeros((8192, 1), "float32")
model = Two()
model.compile(optimizer="adam", loss="mse")
model.fit([x1, x2], y, batch_size=4096)
