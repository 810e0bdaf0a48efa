import numpy
from tensorflow import keras
import load

def sized():
    raise load.Wrong()

try:  # cause
    sized()
except ImportError:
    n = 16
except OSError:
    n = 32
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
