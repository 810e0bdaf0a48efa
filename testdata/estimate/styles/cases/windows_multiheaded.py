"""One convolutional head for each column of windows that a counter cuts."""

import os

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

data = np.array(list(os.urandom(1000 * 4)), dtype="float32").reshape(-1, 4)


def supervised(data, n_input, n_out):
    x, y = [], []
    in_start = 0
    for _ in range(len(data)):
        in_end = in_start + n_input
        out_end = in_end + n_out
        if out_end < len(data):
            x.append(data[in_start:in_end, :])
            y.append(data[in_end:out_end, 0])
        in_start += 1
    return np.array(x), np.array(y)


train_x, train_y = supervised(data, 100, 7)
n_timesteps, n_features, n_outputs = train_x.shape[1], train_x.shape[2], train_y.shape[1]
in_layers, out_layers = [], []
for _ in range(n_features):
    inputs = keras.Input((n_timesteps, 1))
    conv = layers.Conv1D(64, 3, activation="relu")(inputs)
    conv = layers.Conv1D(64, 3, activation="relu")(conv)
    pool = layers.MaxPooling1D()(conv)
    in_layers.append(inputs)
    out_layers.append(layers.Flatten()(pool))
merged = layers.concatenate(out_layers)
dense = layers.Dense(200, activation="relu")(merged)
model = keras.Model(in_layers, layers.Dense(n_outputs)(dense))
model.compile(loss="mse", optimizer="adam")
input_data = [train_x[:, :, i].reshape((train_x.shape[0], n_timesteps, 1)) for i in range(n_features)]
model.fit(input_data, train_y, epochs=1, batch_size=16, verbose=0)
