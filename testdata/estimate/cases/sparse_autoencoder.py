"""A sparse autoencoder: what its layers return is held small, by L1 and by L1 with L2."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, regularizers

inputs = keras.Input((48, 48, 3))
x = layers.Conv2D(32, 3, padding="same", activation="relu", activity_regularizer=regularizers.L1(1e-5))(inputs)
x = layers.MaxPooling2D()(x)
x = layers.Conv2D(64, 3, padding="same", activation="relu", activity_regularizer=regularizers.L1L2(1e-5, 1e-5))(x)
x = layers.MaxPooling2D()(x)
code = layers.Conv2D(32, 3, padding="same", activation="sigmoid", activity_regularizer="l2", name="code")(x)
x = layers.UpSampling2D()(code)
x = layers.Conv2D(64, 3, padding="same", activation="relu")(x)
x = layers.UpSampling2D()(x)
outputs = layers.Conv2D(3, 3, padding="same", activation="sigmoid")(x)

autoencoder = keras.Model(inputs, outputs, name="sparse_autoencoder")
autoencoder.compile(optimizer="adam", loss="mse", jit_compile=False)
images = np.random.rand(256, 48, 48, 3).astype("float32")
autoencoder.fit(images, images, batch_size=64, epochs=1)
