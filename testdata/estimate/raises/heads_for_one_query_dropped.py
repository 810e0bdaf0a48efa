# Keras runs
# With dropout Keras has an einsum of its own, which repeats a batch of 1.
import keras
import numpy as np
from keras import layers, ops


class Latents(keras.Model):
    def __init__(self):
        super().__init__()
        self.latents = self.add_weight(shape=(64, 96))
        self.attention, self.head = layers.MultiHeadAttention(4, 24, dropout=0.1), layers.Dense(10)

    def call(self, x):
        return self.head(ops.mean(self.attention(ops.expand_dims(self.latents, 0), x), axis=1))


model = Latents()
model.compile("sgd", "mse", jit_compile=False)
model.fit(np.zeros((64, 256, 96), "float32"), np.zeros((64, 10), "float32"))
