"""Steps of a sequence through one Dense with a regularizer of its activity, which Keras 3 never asks inside of TimeDistributed."""
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

steps = keras.Input((12, 64))
x = layers.TimeDistributed(layers.Dense(512, activation="relu", activity_regularizer="l2"))(steps)
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(steps, layers.Dense(10)(x))
model.compile("sgd", "mse", jit_compile=False)
model.fit(np.zeros((512, 12, 64), "float32"), np.zeros((512, 10), "float32"), batch_size=128)
