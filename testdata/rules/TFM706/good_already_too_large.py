# device: 4 GiB
from tensorflow import keras

# One of them does not fit by itself: that is another rule's.
first = keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])
first.compile("adam", "mse")
first.fit(x, y)
second = keras.Sequential([keras.layers.Input((400,)), keras.layers.Dense(8192), keras.layers.Dense(1)])
second.compile("adam", "mse")
second.fit(x, y)
