import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

ROWS = 2_000
a, b = np.zeros((ROWS, 500)), np.zeros((ROWS, 700), "float32")
i, j = keras.Input((500,)), keras.Input((700,))
h = layers.Concatenate()([i, j])
model = keras.Model([i, j], [layers.Dense(900)(h), layers.Dense(3)(h)])
p, q = model.predict([a, b], batch_size=10)

