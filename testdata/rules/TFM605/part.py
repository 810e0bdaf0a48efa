from tensorflow import keras
from tensorflow.keras import layers

# The layer is in a part of the model that is trained: what counts is the whole.
part = keras.Sequential([layers.Input((64, 64, 32)), layers.Flatten(), layers.Dense(256)])  # want "This layer has 33554688 of the model's 35660032 parameters"
inputs = keras.Input((64, 64, 32))
whole = keras.Model(inputs, layers.Dense(8192)(part(inputs)))
whole.compile("adam", "mse")
whole.fit(x, y)
