# Data are made under the CPU, by whoever calls what makes them.
import numpy as np
import tensorflow as tf

x = np.zeros((60000, 64, 64, 3), dtype="float32")


class Pipeline:
    def __init__(self, device):
        self.device = device

    def build(self):
        with tf.device(self.device):
            return self.slices()

    def slices(self):
        return tf.data.Dataset.from_tensor_slices(x).batch(8)


Pipeline("/device:CPU:0").build()
with tf.device("/GPU:1"):
    other = tf.data.Dataset.from_tensor_slices(x)
with tf.device(which()):
    unknown = tf.data.Dataset.from_tensor_slices(x)
model = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "mse")
with tf.device("CPU"):
    model.predict(x)
