import numpy
from tensorflow import keras
import pandas

n = len(pandas.read_csv("train.csv", chunksize=8))  # cause
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
