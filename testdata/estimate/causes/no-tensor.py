from tensorflow import keras

x, other = keras.Input((4,)), keras.Input((4,))
m = keras.Model(x, keras.layers.Dense(8)(other))  # cause
m.compile("adam", "mse")
