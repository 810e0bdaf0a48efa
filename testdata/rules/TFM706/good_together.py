# device: 24 GiB
from tensorflow import keras


def build():
    return keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])


first = build()
first.compile("adam", "mse")
first.fit(x, y)
second = build()
second.compile("adam", "mse")
second.fit(x, y)
