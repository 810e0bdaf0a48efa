# A dataset of a tensor is no copy of it, nor is a variable.
import numpy as np
import tensorflow as tf
from tensorflow import keras

ROWS = 1_000
x = tf.constant(np.zeros((ROWS, 4096), "float32"))
y = tf.Variable(tf.zeros((ROWS, 8)))
also = tf.Variable(x)
train = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(train, epochs=2)
