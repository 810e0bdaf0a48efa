import keras
import numpy as np


class Sort(keras.layers.Layer):
    def call(self, x):
        return np.sort(x)


model = keras.Sequential([Sort()])
model.compile("adam", "mse", run_eagerly=True)
model.fit(x, y)
