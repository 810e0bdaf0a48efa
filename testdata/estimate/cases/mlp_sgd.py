"""An MLP under plain SGD, whose updates only add to the weights."""
import numpy as np
from tensorflow import keras

HIDDEN = 4096

model = keras.Sequential([
    keras.layers.Input((1024,)),
    keras.layers.Dense(HIDDEN, activation="relu"),
    keras.layers.Dense(HIDDEN, activation="relu"),
    keras.layers.Dense(10),
])
model.compile(
    optimizer=keras.optimizers.SGD(0.01),
    loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
)
model.fit(np.zeros((256, 1024), "float32"), np.zeros(256, "int32"), batch_size=32)
