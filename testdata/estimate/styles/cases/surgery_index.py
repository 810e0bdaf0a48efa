"""base.layers[-2].output and all but the last layers frozen."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


inputs = keras.Input((40,))
x = inputs
for units in (128, 64, 32):
    x = layers.Dense(units, activation="relu")(x)
base = keras.Model(inputs, layers.Dense(10, name="head")(x))

for layer in base.layers[:-3]:
    layer.trainable = False
model = keras.Model(base.input, layers.Dense(2)(base.layers[-2].output))
print(len(base.layers))

model.compile("adam", "mse")
model.fit(np.zeros((64, 40), "float32"), np.zeros((64, 2), "float32"), batch_size=16)
