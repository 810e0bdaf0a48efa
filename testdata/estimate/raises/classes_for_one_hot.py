# Keras raises
import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((32,)), keras.layers.Dense(10, activation="softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((64, 32), "float32"), np.zeros((64,), "int32"), verbose=0)
