import numpy as np
from tensorflow.keras.layers import *
from tensorflow.keras.models import Sequential
import tensorflow as tf

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

net = Sequential()  # want "Memory growth is not set"
net.add(Dense(4))
net.compile("adam", "mse")
net.fit(np.zeros((8, 4)), np.zeros((8, 4)))
