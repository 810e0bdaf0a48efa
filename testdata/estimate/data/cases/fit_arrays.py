# Images and labels of NumPy: one tensor each, whatever the batch size. Floating-point numbers of
# 64 bits become 32 on the way.
import numpy as np
from tensorflow import keras

ROWS = 20_000
x = np.random.rand(ROWS, 1024)
y = np.zeros((ROWS, 8), "float32")
model = keras.Sequential([keras.Input((1024,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=64, epochs=2)
model.evaluate(x, y, batch_size=64)
