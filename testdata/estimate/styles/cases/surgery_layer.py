"""The part of a model up to a layer, with a new head; the rest is frozen."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


base = keras.Sequential([
    keras.Input((32, 32, 3)), layers.Conv2D(16, 3, activation="relu", name="first"), layers.MaxPooling2D(),
    layers.Conv2D(32, 3, activation="relu", name="features"), layers.Flatten(), layers.Dense(100, name="old_head"),
])
for layer in base.layers:
    layer.trainable = False
x = base.get_layer("features").output
x = layers.GlobalAveragePooling2D()(x)
model = keras.Model(inputs=base.inputs, outputs=layers.Dense(4)(x))

model.compile("adam", "mse")
model.fit(np.zeros((64, 32, 32, 3), "float32"), np.zeros((64, 4), "float32"), batch_size=16)
