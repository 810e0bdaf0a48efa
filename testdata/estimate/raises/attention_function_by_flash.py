# Keras raises
import keras
import numpy as np


class Heads(keras.layers.Layer):
    def call(self, x):
        return keras.ops.dot_product_attention(x, x, x, flash_attention=True)


x = keras.Input((16, 2, 4))
model = keras.Model(x, keras.layers.Dense(1)(keras.layers.Flatten()(Heads()(x))))
model.compile("sgd", "mse")
model.fit(np.zeros((4, 16, 2, 4), "float32"), np.zeros((4, 1), "float32"), verbose=0)
