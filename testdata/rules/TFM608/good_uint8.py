# ram: 13 GiB
import numpy as np
import keras

x = np.ones((10000, 224, 224, 3), dtype="uint8")
y = np.zeros(10000)
model = keras.Sequential([keras.Input((224, 224, 3)), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(x, y, batch_size=32)
