import numpy
from tensorflow import keras

words = open("words.txt").readlines()  # cause
n = len(words)
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
