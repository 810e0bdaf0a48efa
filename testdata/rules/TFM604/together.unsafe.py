"""A loss, what is cast for it and a constant mix only in one type."""
import numpy as np
from tensorflow import keras

keras.backend.set_floatx("float32")  # want "Keras creates everything from here on in float64, twice the size of float32\."
model = keras.Sequential([keras.layers.Dense(1, dtype="float32")])  # want "This is created in float64, twice the size of float32\."
model.compile("adam", "mse")
model.fit(np.zeros((9, 3)), np.zeros((9, 1)))
