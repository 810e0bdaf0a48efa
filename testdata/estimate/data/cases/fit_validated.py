# Arrays of a validation are there from the first epoch's end until fit returns.
import numpy as np
from tensorflow import keras

ROWS = 1_000
x = np.zeros((ROWS, 4096), "float32")
y = np.zeros((ROWS, 8), "float32")
model = keras.Sequential([keras.Input((4096,)), keras.layers.Dense(8)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=16, epochs=3, validation_data=(x[: ROWS // 2], y[: ROWS // 2]))
model.fit(x, y, batch_size=16, validation_data=(x[: ROWS // 2], y[: ROWS // 2]))
