"""Adam on dense kernels that each read all outputs so far."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = inputs = keras.Input((256,))
for _ in range(5):
    x = layers.Concatenate()([x, layers.Dense(192, activation="relu")(x)])
model = keras.Model(inputs, layers.Dense(1)(x))
model.compile("adam", "mse")
model.fit(np.zeros((256, 256), "float32"), np.zeros((256, 1), "float32"), batch_size=32)
