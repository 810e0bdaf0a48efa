# Keras runs
# What is set past the class of a layer is not held by it.
import keras
import numpy as np


class Part(keras.layers.Layer):
    def __init__(self, parent):
        super().__init__()
        self.dense = keras.layers.Dense(4)
        object.__setattr__(self, "parent", parent)
        self.__dict__["again"] = parent

    def call(self, x):
        return self.dense(x)


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.part = Part(self)
        self.head = keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.part(x))


model = Net()
model.compile("sgd", "mse")
model.fit(np.zeros((8, 3), "float32"), np.zeros((8, 1), "float32"), verbose=0)
