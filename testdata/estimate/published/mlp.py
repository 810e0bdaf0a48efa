"""Dense layers, one after the other."""
import numpy as np
from tensorflow import keras

DEPTH = 100
WIDTH = 1024
INPUTS = 1
OUTPUTS = 5
BATCH = 32

model = keras.Sequential([keras.Input((INPUTS,))])
for _ in range(DEPTH):
    model.add(keras.layers.Dense(WIDTH, activation="relu"))
model.add(keras.layers.Dense(OUTPUTS))
model.compile("adam", "mse")
model.fit(np.zeros((1024, INPUTS), "float32"), np.zeros((1024, OUTPUTS), "float32"), batch_size=BATCH)
