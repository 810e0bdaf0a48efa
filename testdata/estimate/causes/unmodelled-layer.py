from tensorflow import keras

m = keras.Sequential([keras.Input((4,)), keras.layers.DenseFeatures([])])  # cause
m.compile("adam", "mse")
