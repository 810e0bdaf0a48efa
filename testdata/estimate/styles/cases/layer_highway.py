"""tf.matmul, tf.where and operators in a layer of several gates."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Highway(layers.Layer):
    def build(self, shape):
        n = shape[-1]
        for name in ("w_t", "w_h"):
            setattr(self, name, self.add_weight(shape=(n, n), initializer="glorot_uniform", name=name))
        self.b_t = self.add_weight(shape=(n,), initializer="zeros", name="b_t")

    def call(self, x):
        t = tf.sigmoid(x @ self.w_t + self.b_t)
        h = tf.tanh(x @ self.w_h)
        y = t * h + (1.0 - t) * x
        return tf.where(y > 0, y, 0.1 * y)


model = keras.Sequential([layers.Dense(64), Highway(), Highway(), layers.Dense(1)])
model.build((None, 30))

model.compile("adam", "mse")
model.fit(np.zeros((128, 30), "float32"), np.zeros((128, 1), "float32"), batch_size=32)
