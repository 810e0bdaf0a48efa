# device: 8 GiB
from tensorflow import keras

# Two models of one encoder: its weights are there once, and SGD keeps nothing.
inputs = keras.Input((40000,))
encoder = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(16384)])
one = keras.Model(inputs, keras.layers.Dense(1)(encoder(inputs)))
two = keras.Model(inputs, keras.layers.Dense(2)(encoder(inputs)))
one.compile("sgd", "mse")
one.fit(x, y)
two.compile("sgd", "mse")
two.fit(x, y)
