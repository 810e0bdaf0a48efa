"""A class whose __init__ hands inputs and outputs to Model."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class UNet(keras.Model):
    def __init__(self, size, width=8):
        inputs = keras.Input((size, size, 1))
        skips, x = [], inputs
        for i in range(3):
            x = layers.Conv2D(width * 2 ** i, 3, padding="same", activation="relu")(x)
            skips.append(x)
            x = layers.MaxPooling2D()(x)
        for i, skip in reversed(list(enumerate(skips))):
            x = layers.UpSampling2D()(x)
            x = layers.Concatenate()([x, skip])
            x = layers.Conv2D(width * 2 ** i, 3, padding="same", activation="relu")(x)
        super().__init__(inputs=inputs, outputs=layers.Conv2D(1, 1)(x))


model = UNet(32)

model.compile("adam", "mse")
model.fit(np.zeros((32, 32, 32, 1), "float32"), np.zeros((32, 32, 32, 1), "float32"), batch_size=8)
