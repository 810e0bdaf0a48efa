"""Dense layers, one after the other."""
import numpy as np
from tensorflow import keras

DEPTH = 100
WIDTH = 1024
INPUTS = 784
OUTPUTS = 10
BATCH = 32

model = keras.Sequential([keras.Input((INPUTS,))])
for _ in range(DEPTH):
    model.add(keras.layers.Dense(WIDTH, activation="relu"))
model.add(keras.layers.Dense(OUTPUTS, activation="softmax"))
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((60000, INPUTS), "float32"), np.zeros((60000, OUTPUTS), "float32"), batch_size=BATCH)
