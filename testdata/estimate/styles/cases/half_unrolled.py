"""An unrolled GRU and an LSTM with relu, in half precision."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
inputs = keras.Input((12, 64))
x = layers.GRU(256, unroll=True, return_sequences=True)(inputs)
x = layers.LSTM(256, activation="relu")(x)
model = keras.Model(inputs, layers.Dense(1, dtype="float32")(x))
model.compile("adam", "mse", jit_compile=False)
model.fit(np.zeros((320, 12, 64), "float32"), np.zeros((320, 1), "float32"), batch_size=32)
