import numpy as np, keras
from keras import layers
model = keras.Sequential([keras.Input((1024,)), layers.Dense(1024, activation="relu"), layers.Dense(2048, activation="relu"), layers.Dense(1024, activation="relu"), layers.Dense(10)])
model.compile(keras.optimizers.Adam(1e-3, gradient_accumulation_steps=4), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((1024, 1024), "float32"), np.zeros(1024, "int32"), batch_size=128)
