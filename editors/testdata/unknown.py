import mine
from tensorflow import keras

small = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
small.compile("adam", "mse")
small.fit(mine.x, mine.y, batch_size=64)

# Which model this is, only a run can tell.
other = mine.build()
other.compile("adam", "mse")

other.fit(mine.x, mine.y)
