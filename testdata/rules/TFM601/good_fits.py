# device: 24 GiB
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.layers.Dense(128, activation="relu"), keras.layers.Dense(10)])
model.compile("adam", "mse")
model.fit(np.zeros((60000, 784)), np.zeros((60000, 10)), batch_size=1024)
