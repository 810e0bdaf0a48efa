"""Parts without an input_shape, built when they are put together."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


encoder = keras.Sequential([layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
                            layers.Conv2D(8, 3, strides=2, padding="same", activation="relu")])
decoder = keras.Sequential([layers.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu"),
                            layers.Conv2DTranspose(16, 3, strides=2, padding="same", activation="relu"),
                            layers.Conv2D(1, 3, padding="same")])
model = keras.Sequential([encoder, decoder])

model.compile("adam", "mse")
model.fit(np.zeros((64, 28, 28, 1), "float32"), np.zeros((64, 28, 28, 1), "float32"), batch_size=16)
