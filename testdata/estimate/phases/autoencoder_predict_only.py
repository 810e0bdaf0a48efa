import numpy as np
from tensorflow import keras

pictures = np.zeros((512, 64, 64, 1), "float32")
i = keras.Input((64, 64, 1))
x = keras.layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(i)
x = keras.layers.Conv2DTranspose(32, 3, strides=2, padding="same", activation="relu")(x)
model = keras.Model(i, keras.layers.Conv2D(1, 3, padding="same")(x))
before = model.predict(pictures, batch_size=128)
model.compile(optimizer="adam", loss="mse")
model.fit(pictures, pictures, batch_size=16)
after = model.predict(pictures, batch_size=512)
