"""AdamW without a schedule, which averages the weights."""

import numpy as np
import keras
from keras import layers

model = keras.Sequential([
    keras.Input((784,)),
    layers.Dense(1024, activation="relu"),
    layers.Dense(1024, activation="relu"),
    layers.Dense(64, activation="relu"),
    layers.Dense(10),
])
model.compile(keras.optimizers.ScheduleFreeAdamW(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((256, 784), "float32"), np.zeros(256, "int32"), batch_size=64)
