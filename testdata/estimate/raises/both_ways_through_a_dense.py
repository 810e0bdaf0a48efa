# Keras raises
from tensorflow import keras

model = keras.Sequential([keras.Input((8, 2)), keras.layers.Bidirectional(keras.layers.Dense(3))])
