from tensorflow import keras

m = keras.Sequential([keras.layers.Dense(8)])  # cause
m.compile("adam", "mse")
