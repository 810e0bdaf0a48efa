import numpy as np
from tensorflow import keras

x, y = np.zeros((64, 32, 32, 3), "float32"), np.zeros((64, 2), "float32")
base = keras.Sequential([
    keras.layers.Input((32, 32, 3)),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.MaxPooling2D(4),
    keras.layers.Flatten(),
])
model = keras.Sequential([base, keras.layers.Dense(256, activation="relu"), keras.layers.Dense(2)])
base.trainable = False
model.compile(optimizer="sgd", loss="mse")
model.fit(x, y, batch_size=64)
base.trainable = True
model.compile(optimizer="adam", loss="mse")
model.fit(x, y, batch_size=16)
model.evaluate(x, y)
