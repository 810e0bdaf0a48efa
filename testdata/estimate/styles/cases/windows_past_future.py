"""Past and future windows that share a row, in a loop that leaves at the end of the table."""

import os

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def split_sequences(sequences, steps_in, steps_out):
    x, y = list(), list()
    for i in range(len(sequences)):
        end_ix = i + steps_in
        out_end_ix = end_ix + steps_out - 1
        if out_end_ix > len(sequences):
            break
        x.append(sequences[i:end_ix, :-1])
        y.append(sequences[end_ix - 1 : out_end_ix, -1])
    return np.array(x), np.array(y)


values = np.array(list(os.urandom(1200 * 9)), dtype="float32").reshape(-1, 9)
x, y = split_sequences(values, 60, 10)
model = keras.Sequential()
model.add(layers.Input((60, x.shape[2])))
model.add(layers.Conv1D(128, 3, activation="relu", padding="same"))
model.add(layers.Conv1D(256, 3, activation="relu", padding="same"))
model.add(layers.Flatten())
model.add(layers.Dense(y.shape[1]))
model.compile(loss="mae", optimizer="rmsprop")
model.fit(x, y, batch_size=32, verbose=0)
