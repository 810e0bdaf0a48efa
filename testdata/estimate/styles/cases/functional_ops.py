"""keras.ops and operators in a functional model."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


from keras import ops

inputs = keras.Input((12, 12, 4))
x = layers.Conv2D(8, 3, padding="same")(inputs)
x = ops.relu(x) + 0.5 * ops.transpose(x, (0, 2, 1, 3))
x = ops.reshape(x, (-1, 144, 8))
x = ops.concatenate([x, ops.exp(-x)], axis=-1)
mean = ops.mean(x, axis=1, keepdims=True)
x = (x - mean) / ops.sqrt(ops.var(x, axis=1, keepdims=True) + 1e-5)
x = ops.squeeze(ops.max(x, axis=1, keepdims=True), axis=1)
x = ops.expand_dims(x, -1)[:, ::2, 0]
model = keras.Model(inputs, layers.Dense(3)(x))

model.compile("adam", "mse")
model.fit(np.zeros((64, 12, 12, 4), "float32"), np.zeros((64, 3), "float32"), batch_size=16)
