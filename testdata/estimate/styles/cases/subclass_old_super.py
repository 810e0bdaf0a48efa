"""super(Name, self) and keywords passed on."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Net(keras.Model):
    def __init__(self, width=128, **kwargs):
        super(Net, self).__init__(**kwargs)
        self.a = layers.Dense(width, activation="tanh")
        self.b = layers.Dense(width // 2, use_bias=False)
        self.c = layers.Dense(1)

    def call(self, x, training=None, mask=None):
        return self.c(self.b(self.a(x)))


net = Net(width=192, name="net")

net.compile("adam", "mse")
net.fit(np.zeros((256, 40), "float32"), np.zeros((256, 1), "float32"), batch_size=32)
