import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.zeros((2000, 784), "float32")
i = keras.Input((784,))
h = layers.Dense(1024, activation="relu")(i)
h = layers.Dense(1024, activation="tanh")(h)
code = layers.Dense(32)(h)
encoder = keras.Model(i, code)
j = keras.Input((32,))
h = layers.Dense(1024, activation="selu")(j)
h = layers.Dense(1024, activation="swish")(h)
decoder = keras.Model(j, layers.Dense(784, activation="sigmoid")(h))
model = keras.Model(i, decoder(encoder(i)))
codes = encoder.predict(x, batch_size=1000)
decoder.predict(codes, batch_size=1000)
model.predict(x, batch_size=2000)
