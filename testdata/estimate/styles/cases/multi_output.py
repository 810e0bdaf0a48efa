"""Two outputs with a shared trunk, by name."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


inputs = keras.Input((64,), name="x")
trunk = layers.Dense(128, activation="relu")(inputs)
trunk = layers.BatchNormalization()(trunk)
priority = layers.Dense(1, activation="sigmoid", name="priority")(trunk)
kind = layers.Dense(6, name="kind")(layers.Dense(32, activation="relu")(trunk))
model = keras.Model(inputs=[inputs], outputs=[priority, kind])
model.compile("adam", {"priority": "mse", "kind": "mse"})
model.fit(np.zeros((128, 64), "float32"),
          {"priority": np.zeros((128, 1), "float32"), "kind": np.zeros((128, 6), "float32")}, batch_size=32)
