import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.mixed_precision.set_global_policy("mixed_float16")
x = np.zeros((128, 64, 64, 3), "float32")
i = keras.Input((64, 64, 3))
h = layers.Conv2D(32, 3, padding="same")(i)
h = layers.BatchNormalization()(h)
h = layers.ReLU()(h)
h = layers.Conv2D(64, 3, padding="same")(h)
h = layers.LeakyReLU()(h)
h = layers.GlobalMaxPooling2D()(h)
model = keras.Model(i, layers.Dense(10, activation="softmax", dtype="float32")(h))
model.predict(x, batch_size=64)
