"""Imports stand between the work, too: memory is configured with those at the top."""
import numpy as np
from tensorflow.keras.layers import Dense
from tensorflow.keras.models import Sequential
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

data = np.load("data.npz")
x, y = data["x"], data["y"]

from sklearn.model_selection import train_test_split
x_train, x_test, y_train, y_test = train_test_split(x, y)

model = Sequential([Dense(10, input_shape=(20,)), Dense(1)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(x_train, y_train)
