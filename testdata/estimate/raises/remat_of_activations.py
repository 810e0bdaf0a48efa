# Keras runs
import keras
import numpy as np

with keras.RematScope(mode="activations"):
    dense = keras.layers.Dense(3, activation="gelu")
inputs = keras.Input((4,))
model = keras.Model(inputs, dense(inputs))
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4), "float32"), np.zeros((8, 3), "float32"), verbose=0)
