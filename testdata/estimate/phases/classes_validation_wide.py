import numpy as np
from tensorflow import keras

x, y = np.zeros((512, 128), "float32"), np.zeros((512, 2000), "float32")
i = keras.Input((128,))
h = keras.layers.Dense(256, activation="gelu")(i)
model = keras.Model(i, keras.layers.Dense(2000, activation="softmax")(h))
model.compile(optimizer="adam", loss="categorical_crossentropy", metrics=["accuracy"])
model.fit(x, y, batch_size=32, validation_data=(x, y), validation_batch_size=512)
