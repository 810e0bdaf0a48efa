import numpy as np
import keras
from keras import layers

latent_dim = 64

encoder = keras.Sequential(
    [
        keras.Input((28, 28, 1)),
        layers.Conv2D(32, 3, activation="relu", strides=2, padding="same"),
        layers.Conv2D(64, 3, activation="relu", strides=2, padding="same"),
        layers.Flatten(),
        layers.Dense(latent_dim, name="code"),
    ],
    name="encoder",
)
decoder = keras.Sequential(
    [
        keras.Input((latent_dim,)),
        layers.Dense(7 * 7 * 64, activation="relu"),
        layers.Reshape((7, 7, 64)),
        layers.Conv2DTranspose(64, 3, activation="relu", strides=2, padding="same"),
        layers.Conv2DTranspose(32, 3, activation="relu", strides=2, padding="same"),
        layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same"),
    ],
    name="decoder",
)

image = keras.Input((28, 28, 1))
autoencoder = keras.Model(image, decoder(encoder(image)), name="autoencoder")
autoencoder.compile(optimizer="adam", loss="mse")

digits = np.zeros((256, 28, 28, 1), dtype="float32")
autoencoder.fit(digits, digits, epochs=30, batch_size=128)
