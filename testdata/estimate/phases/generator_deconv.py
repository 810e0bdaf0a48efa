import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def build_generator():
    model = keras.Sequential()
    model.add(keras.Input((100,)))
    model.add(layers.Dense(8 * 8 * 256, use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Reshape((8, 8, 256)))
    model.add(layers.Conv2DTranspose(128, 5, padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2DTranspose(64, 5, strides=2, padding="same", use_bias=False))
    model.add(layers.BatchNormalization())
    model.add(layers.LeakyReLU())
    model.add(layers.Conv2DTranspose(3, 5, strides=2, padding="same", activation="tanh"))
    return model


generator = build_generator()
noise = np.random.normal(0, 1, (64, 100))
fakes = generator.predict(noise, batch_size=64)
fakes = generator.predict(noise)
