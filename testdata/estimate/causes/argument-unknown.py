from tensorflow import keras

def build(width):  # cause
    m = keras.Sequential([keras.Input((4,)), keras.layers.Dense(width)])
    m.compile("adam", "mse")
    return m
