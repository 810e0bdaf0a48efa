# The code does not say which Keras this is, and so which TensorFlow; 1.14 and later read the variable.
import keras
import numpy as np

model = keras.Sequential([keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)))
