"""A wide multilayer perceptron: its weights outweigh everything else."""
import numpy as np
from tensorflow import keras

units = 4096
features = 784

x = np.zeros((128, features), dtype="float32")
y = np.zeros((128,), dtype="int32")

model = keras.Sequential()
model.add(keras.Input((features,)))
model.add(keras.layers.Dense(units, activation="relu"))
model.add(keras.layers.Dense(units, activation="relu"))
model.add(keras.layers.Dense(10, activation="softmax"))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(x, y, batch_size=64, epochs=1)
