# Weights of rows and the parts of a dictionary count.
import numpy as np
from tensorflow import keras

ROWS = 1_000
data = {"a": np.zeros((ROWS, 3072), "float32"), "b": np.zeros((ROWS, 1024), "float64")}
y = np.zeros((ROWS, 8), "float32")
a, b = keras.Input((3072,), name="a"), keras.Input((1024,), name="b")
model = keras.Model([a, b], keras.layers.Dense(8)(keras.layers.Concatenate()([a, b])))
model.compile("sgd", "mse")
model.fit(data, y, sample_weight=np.ones((ROWS,), "float64"), batch_size=16, epochs=2)
model.fit([data["a"], data["b"]], y, batch_size=16, epochs=2)
