import os

os.environ["KERAS_BACKEND"] = "tensorflow"
import keras
import numpy as np

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

model = keras.Sequential([keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)))
