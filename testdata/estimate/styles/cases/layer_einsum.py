"""tf.einsum and keras.ops with weights of three dimensions."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Heads(layers.Layer):
    def __init__(self, heads, size):
        super().__init__()
        self.heads, self.size = heads, size

    def build(self, input_shape):
        width = int(input_shape[-1])
        self.q = self.add_weight(shape=(width, self.heads, self.size))
        self.k = self.add_weight(shape=(width, self.heads, self.size))
        self.o = self.add_weight(shape=(self.heads, self.size, width))

    def call(self, x):
        q = tf.einsum("btd,dhs->bhts", x, self.q)
        k = tf.einsum("btd,dhs->bhts", x, self.k)
        w = keras.ops.softmax(keras.ops.einsum("bhts,bhus->bhtu", q, k))
        y = tf.einsum("bhtu,bhus->bths", w, k)
        return tf.einsum("bths,hsd->btd", y, self.o)


inputs = keras.Input((16, 32))
x = Heads(4, 8)(inputs)
x = layers.Flatten()(x)
model = keras.Model(inputs, layers.Dense(2)(x))

model.compile("adam", "mse")
model.fit(np.zeros((64, 16, 32), "float32"), np.zeros((64, 2), "float32"), batch_size=32)
