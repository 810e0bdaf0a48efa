# Batches of a generator, of Keras's Sequence, and arrays under the CPU leave nothing on the device.
import numpy as np
import tensorflow as tf
from tensorflow import keras

ROWS = 1_000
x = np.zeros((ROWS, 4096), "float32")
y = np.zeros((ROWS, 8), "float32")


class Rows(keras.utils.Sequence):
    def __len__(self):
        return len(x) // 16

    def __getitem__(self, i):
        return x[i * 16 : i * 16 + 16], y[i * 16 : i * 16 + 16]


model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(Rows(), epochs=2)
with tf.device("/CPU:0"):
    data = tf.data.Dataset.from_tensor_slices((x, y)).batch(16)
model.fit(data, epochs=2)
