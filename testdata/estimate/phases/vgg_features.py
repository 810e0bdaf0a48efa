import numpy as np
from tensorflow import keras
from tensorflow.keras.applications import VGG16

x = np.zeros((256, 96, 96, 3), "float32")
y = np.zeros((256, 1), "float32")
base = VGG16(weights=None, include_top=False, input_shape=(96, 96, 3))
features = base.predict(x, batch_size=64)
features = features.reshape((256, 3 * 3 * 512))
model = keras.Sequential()
model.add(keras.Input((3 * 3 * 512,)))
model.add(keras.layers.Dense(256, activation="relu"))
model.add(keras.layers.Dropout(0.5))
model.add(keras.layers.Dense(1, activation="sigmoid"))
model.compile(optimizer=keras.optimizers.RMSprop(learning_rate=2e-4), loss="binary_crossentropy", metrics=["accuracy"])
model.fit(features, y, batch_size=32)
