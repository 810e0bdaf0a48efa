"""Adam on equal dense kernels, one after the other."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((512,))])
for _ in range(5):
    model.add(keras.layers.Dense(512, activation="relu"))
model.add(keras.layers.Dense(1))
model.compile("adam", "mse")
model.fit(np.zeros((256, 512), "float32"), np.zeros((256, 1), "float32"), batch_size=64)
