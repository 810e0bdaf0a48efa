"""AdamW that clips each gradient by its norm, decays weights and averages them."""
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((384,))])
for _ in range(4):
    model.add(keras.layers.Dense(384, activation="relu"))
model.add(keras.layers.Dense(1))
model.compile(keras.optimizers.AdamW(1e-3, weight_decay=1e-2, clipnorm=1.0, use_ema=True), "mse")
model.fit(np.zeros((256, 384), "float32"), np.zeros((256, 1), "float32"), batch_size=64)
