# A model that is read from a file takes the same arrays.
import numpy as np
from tensorflow import keras

ROWS = 1_000
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.save("model.h5")
model = keras.models.load_model("model.h5", compile=False)
model.predict(np.zeros((ROWS, 4096), "float32"), batch_size=16)
