# Tensors are split on the device, where the whole stays as long as its name does.
import numpy as np
import tensorflow as tf
from tensorflow import keras

ROWS = 1_200
x = tf.constant(np.zeros((ROWS, 4096), "float32"))
y = tf.constant(np.zeros((ROWS, 8), "float32"))
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=2, validation_split=0.21)
