import numpy
from tensorflow import keras
import load

def width(depth):
    if load.ready():
        return width(depth + 1)  # cause
    return width(depth + 2)

n = width(0)
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
