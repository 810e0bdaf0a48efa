import numpy
from tensorflow import keras

def sizes():
    n = yield 8  # cause
    yield n

made = sizes()
next(made)
n = next(made)
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
