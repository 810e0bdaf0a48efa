import numpy
from tensorflow import keras

n = numpy.random.randint(1, 9, 3).tolist()[0]  # cause
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
m.fit(numpy.zeros((64, 4)), numpy.zeros((64, 1)))
