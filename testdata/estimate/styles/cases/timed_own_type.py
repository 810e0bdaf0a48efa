"""Layers of a type of their own in TimeDistributed, which Keras 3 runs in the type of that."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
x = inputs = keras.Input((60, 128))
x = layers.TimeDistributed(layers.Dense(512, activation="relu", dtype="float32"))(x)
x = layers.TimeDistributed(layers.Dense(64, activation="sigmoid", dtype="float32"))(x)
model = keras.Model(inputs, x)
model.compile("sgd", "mse", jit_compile=False)
model.fit(np.zeros((64, 60, 128), "float32"), np.zeros((64, 60, 64), "float32"), batch_size=16)
