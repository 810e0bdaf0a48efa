# Keras raises
# The variables of a layer are those of all that it holds, and so on without end.
import keras
import numpy as np


class Encoder(keras.layers.Layer):
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.dense = keras.layers.Dense(4)

    def call(self, x):
        return self.dense(x)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder(self)
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.encoder(x))


model = Net()
model.compile("sgd", "mse")
model.fit(np.zeros((8, 3), "float32"), np.zeros((8, 1), "float32"), verbose=0)
