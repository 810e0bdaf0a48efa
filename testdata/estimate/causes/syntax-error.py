from tensorflow import keras

n = len([8 9])  # cause
m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(n)])
m.compile("adam", "mse")
