import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class AE(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.Sequential([layers.Flatten(), layers.Dense(64, activation="relu")])
        self.decoder = keras.Sequential([layers.Dense(784, activation="sigmoid"), layers.Reshape((28, 28))])

    def call(self, x):
        return self.decoder(self.encoder(x))


ROWS = 5_000
x = np.zeros((ROWS, 28, 28), "float32")
ae = AE()
ae.compile(optimizer="adam", loss="mse")
ae.fit(x, x, batch_size=20)
back = ae.predict(x)
codes = ae.encoder.predict(x)
