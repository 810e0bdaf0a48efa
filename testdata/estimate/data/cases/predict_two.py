# Two outputs are collected, of which each is joined while both are there.
import numpy as np
from tensorflow import keras

ROWS = 1_000
x = np.zeros((ROWS, 64), "float32")
a = keras.Input((64,))
model = keras.Model(a, [keras.layers.Dense(2048)(a), keras.layers.Dense(1024)(a)])
model.predict(x, batch_size=16)
