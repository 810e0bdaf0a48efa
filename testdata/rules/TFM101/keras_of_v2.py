# The module that TensorFlow 2's lazy loader names.
import tensorflow as tf
from tensorflow.python.keras.api._v2 import keras

model = keras.Sequential([keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(x, y)
