# Keras runs
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((28, 28, 3)), keras.layers.Conv2D(8, 3), keras.layers.MaxPooling2D(), keras.layers.AveragePooling2D(2), keras.layers.Flatten(), keras.layers.Dense(4)])
model.compile("sgd", "mse")
model.fit(np.zeros((16, 28, 28, 3), "float32"), np.zeros((16, 4), "float32"), verbose=0)
