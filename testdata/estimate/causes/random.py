import numpy
from tensorflow import keras
import random

sizes = [8, 16]
random.shuffle(sizes)  # cause
n = sizes[0]
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
