# Keras raises
from tensorflow import keras

model = keras.Sequential([keras.Input((8,)), keras.layers.Dense("10")])
