# Keras raises
import keras
import numpy as np

x = keras.Input((16, 8))
y = keras.layers.MultiHeadAttention(2, 4, dropout=0.1, flash_attention=True)(x, x)
model = keras.Model(x, keras.layers.Dense(1)(keras.layers.Flatten()(y)))
model.compile("sgd", "mse")
model.fit(np.zeros((4, 16, 8), "float32"), np.zeros((4, 1), "float32"), verbose=0)
