"""Windows that end before a row: the start has a name, and the encoder repeats what it read."""

import os

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

LOOKBACK, HORIZON = 48, 12
signal = np.array(list(os.urandom(900 * 6)), dtype="float32").reshape(-1, 6)
past, future = [], []
for now in range(LOOKBACK, len(signal) - HORIZON + 1):
    first = now - LOOKBACK
    past.append(signal[first:now])
    future.append(signal[now : now + HORIZON, :1])
past, future = np.array(past), np.array(future)

inputs = keras.Input(past.shape[1:])
x = layers.Conv1D(192, 5, padding="same", activation="relu")(inputs)
x = layers.GlobalAveragePooling1D()(x)
x = layers.RepeatVector(future.shape[1])(x)
x = layers.Conv1D(192, 3, padding="same", activation="relu")(x)
outputs = layers.TimeDistributed(layers.Dense(future.shape[2]))(x)
model = keras.Model(inputs, outputs)
model.compile("adam", "mse")
model.fit(past, future, epochs=2, batch_size=96)
