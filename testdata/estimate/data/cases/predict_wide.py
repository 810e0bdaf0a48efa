# What predict returns is collected on the device, batch by batch, and joined there.
import numpy as np
from tensorflow import keras

ROWS = 1_000
x = np.zeros((ROWS, 1024), "float32")
model = keras.Sequential([keras.Input((1024,)), keras.layers.Dense(4096)])
model.predict(x, batch_size=16)
