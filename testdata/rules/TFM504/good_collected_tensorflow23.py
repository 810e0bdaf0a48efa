# tensorflow: 2.3
import gc

import tensorflow as tf
from tensorflow.keras import layers


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Dense(4096)
        self.last = layers.Dense(10)

    def call(self, x):
        return self.last(self.first(x))


for fold in range(50):
    model = Net()
    model.compile("adam", "mse")
    model.fit(x[fold], y[fold])
    del model
    gc.collect()

for fold in range(50):
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([layers.Dense(4096, input_shape=(784,)), layers.Dense(10)])
    model.compile("adam", "mse")
    model.fit(x[fold], y[fold])
    gc.collect()
