# Pixels of eight bits stay that small, labels of 64 bits go to the device, those of 32 do not.
import numpy as np
from tensorflow import keras

ROWS = 2_000
x = np.zeros((ROWS, 4096), "uint8")
wide = np.zeros((ROWS, 16), "int64")
narrow = np.zeros((ROWS, 16), "int32")
model = keras.Sequential([keras.Input((4096,)), keras.layers.Rescaling(1 / 255), keras.layers.Dense(16)])
model.compile("sgd", "mse")
model.fit(x, wide, batch_size=16, epochs=2)
model.fit(x, narrow, batch_size=16, epochs=2)
