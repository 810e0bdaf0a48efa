# device: 4 GiB
import sys

from tensorflow import keras

units = int(sys.argv[1])
model = keras.Sequential([keras.layers.Input((4096,)), keras.layers.Dense(1_000_000)])
model.add(keras.layers.Dense(units))
model.compile("adam", "mse")
model.fit(x, y)

large = keras.Sequential([keras.layers.Input((4096,))])
if units > 3:
    large.add(keras.layers.Dense(1_000_000))
large.compile("adam", "mse")
large.fit(x, y)

# An optimizer of which nothing is known.
other = keras.Sequential([keras.layers.Input((4096,)), keras.layers.Dense(30_000), keras.layers.Dense(4096)])
other.compile(make_optimizer(), "mse")
other.fit(x, y)

# Half typed.
keras.Sequential([keras.layers.Input((4096,)), keras.layers.Dense(
