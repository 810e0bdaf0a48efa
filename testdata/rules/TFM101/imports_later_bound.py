"""tf is bound after some work: it is configured there, not before."""
import numpy as np
from tensorflow.keras.layers import Dense

data = np.load("data.npz")

import tensorflow as tf

tf.random.set_seed(1)
model = tf.keras.Sequential([Dense(10, input_shape=(20,)), Dense(1)])  # want "Memory growth is not set"
model.compile("adam", "mse")
model.fit(data["x"], data["y"])
