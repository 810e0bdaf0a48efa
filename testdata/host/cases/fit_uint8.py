import numpy as np
import keras

x = np.ones((2000, 224, 224, 3), "uint8")
y = np.ones((2000, 1), "float32")
model = keras.Sequential([keras.Input((224, 224, 3)), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, batch_size=8, epochs=1, verbose=0)
