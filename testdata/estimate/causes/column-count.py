import numpy
from tensorflow import keras
import pandas

table = pandas.read_csv("train.csv")  # cause
n = table.shape[1]
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
