# The parts of a validation split lie on the device, the whole does not.
import numpy as np
from tensorflow import keras

ROWS = 1_200
x = np.zeros((ROWS, 4096), "float32")
y = np.zeros((ROWS, 8), "float32")
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=2, validation_split=0.2)
