"""A perceptron whose activations alone are computed again."""

import keras
import numpy as np

with keras.RematScope(mode="activations"):
    model = keras.Sequential([keras.Input((256,))])
    for _ in range(6):
        model.add(keras.layers.Dense(1024, activation="gelu"))
    model.add(keras.layers.Dense(10))

model.compile(keras.optimizers.SGD(0.01), "mse")
model.fit(np.zeros((8192, 256), "float32"), np.zeros((8192, 10), "float32"), batch_size=4096)
