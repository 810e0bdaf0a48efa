import numpy as np
import tensorflow as tf
from tensorflow.keras import layers


def block(x):
    return layers.Dropout(0.5)(layers.Conv2D(8, 3)(x))


def build():
    inputs = tf.keras.Input((32, 32, 3))
    x = block(layers.Rescaling(1 / 255)(inputs))
    return tf.keras.Model(inputs, layers.Dense(1)(x))  # want "Memory growth is not set: .*first operation, on line 12"


model = build()
model.compile("adam", "mse")
model.fit(np.zeros((8, 32, 32, 3)), np.zeros((8, 1)))
