"""tf is bound after some work: it is configured there, not before."""
import numpy as np
from tensorflow.keras.layers import Dense

data = np.load("data.npz")

import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

tf.random.set_seed(1)
model = tf.keras.Sequential([Dense(10, input_shape=(20,)), Dense(1)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(data["x"], data["y"])
