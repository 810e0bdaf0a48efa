"""Layers with weights given as activations of others."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    keras.Input((48, 48, 3)),
    layers.Conv2D(24, 3, padding="same", activation=layers.PReLU(shared_axes=[1, 2])),
    layers.Conv2D(24, 3, strides=2, padding="same", activation=layers.PReLU()),
    layers.DepthwiseConv2D(3, padding="same", activation=layers.PReLU(shared_axes=[1, 2])),
    layers.Flatten(),
    layers.Dense(256, activation=layers.PReLU()),
    layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(np.zeros((256, 48, 48, 3), "float32"), np.zeros(256, "int64"), batch_size=64)
