# Keras raises
from tensorflow import keras

model = keras.Sequential([keras.Input((8, 3)), keras.layers.Dense(4), keras.Input((3,))])
