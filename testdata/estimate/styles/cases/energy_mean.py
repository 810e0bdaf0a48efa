"""The loss is the mean of the output: its gradient is a constant, which weights make a tensor."""

import numpy as np
import keras
from keras import layers, ops


def energy(y, out):
    return ops.mean(out)


inputs = keras.Input((48, 48, 3))
x = inputs
for width in (32, 64):
    x = layers.Conv2D(width, 3, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization()(x)
    x = layers.Activation("silu")(x)
outputs = layers.Dense(1)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer="sgd", loss=energy, jit_compile=False)
model.fit(np.zeros((128, 48, 48, 3), "float32"), np.zeros((128, 1), "float32"), batch_size=16)
