import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

ROWS = 1_000
rolls = np.zeros((ROWS, 64, 88), "float32")
i = keras.Input((64, 88))
h = layers.Flatten()(i)
mean = layers.Dense(32)(h)
log_var = layers.Dense(32)(h)
encoder = keras.Model(i, [mean, log_var])
latent = keras.Input((32,))
decoder = keras.Model(latent, layers.Reshape((64, 88))(layers.Dense(64 * 88, activation="sigmoid")(latent)))
z, _ = encoder.predict(rolls, batch_size=10)
back = decoder.predict(z, batch_size=10)
