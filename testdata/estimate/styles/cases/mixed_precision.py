"""A written layer under mixed precision: its weights are read in float16."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


keras.mixed_precision.set_global_policy("mixed_float16")


class Linear(layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.units), initializer="random_normal")

    def call(self, x):
        return tf.nn.relu(tf.matmul(x, self.w))


inputs = keras.Input((128,))
x = Linear(512)(inputs)
x = Linear(512)(x)
model = keras.Model(inputs, layers.Dense(4, dtype="float32")(x))

model.compile("adam", "mse")
model.fit(np.zeros((256, 128), "float32"), np.zeros((256, 4), "float32"), batch_size=64)
