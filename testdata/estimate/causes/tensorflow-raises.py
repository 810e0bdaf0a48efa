from tensorflow import keras

m = keras.Sequential([keras.Input((4,)), keras.layers.Conv2D(8, 3)])  # cause
m.compile("adam", "mse")
