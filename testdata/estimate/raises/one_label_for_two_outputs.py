# Keras raises
import numpy as np
from tensorflow import keras

x = keras.Input((8, 8, 3))
outputs = [keras.layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x) for _ in range(2)]
model = keras.Model(x, outputs)
model.compile("adam", "binary_crossentropy")
model.fit(np.zeros((8, 8, 8, 3), "float32"), np.zeros((8, 8, 8, 1), "float32"), batch_size=4, verbose=0)
