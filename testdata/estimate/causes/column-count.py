import numpy
from tensorflow import keras
import pandas

table = pandas.merge(one, other)  # cause
n = table.shape[1]
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
