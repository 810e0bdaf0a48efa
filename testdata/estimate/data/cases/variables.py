# Constants and variables that the program holds while a model trains on something else.
import numpy as np
import tensorflow as tf
from tensorflow import keras

ROWS = 1_000
table = tf.Variable(np.zeros((ROWS, 2048), "float32"), trainable=False)
constant = tf.convert_to_tensor(np.zeros((ROWS, 1024)))
with tf.device("/CPU:0"):
    host = tf.constant(np.zeros((ROWS, 2048), "float32"))
x = np.zeros((500, 16), "float32")
model = keras.Sequential([keras.Input((16,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(x, np.zeros((500, 8), "float32"), batch_size=8, epochs=2)
