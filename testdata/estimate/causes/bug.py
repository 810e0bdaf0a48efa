import numpy
from tensorflow import keras

m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(1)])  # cause
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
