import numpy as np
import keras

x = np.ones((40, 8), "float32")
model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(100_000)])
kept = []
for i in range(12):
    kept.append(model.predict_on_batch(x))
