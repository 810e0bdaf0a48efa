# A pipeline brings one batch after the other, and what predict collects of it stays.
import numpy as np
import tensorflow as tf
from tensorflow import keras

ROWS = 4_000
with tf.device("CPU"):
    data = tf.data.Dataset.from_tensor_slices(np.zeros((ROWS, 1024), "float32")).batch(16)
model = keras.Sequential([keras.Input((1024,)), keras.layers.Dense(4096)])
model.predict(data)
