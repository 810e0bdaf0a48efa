import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x_test = np.zeros((48, 128, 128, 3), "float32")
i = keras.Input((128, 128, 3))
a = layers.Conv2D(16, 3, padding="same", activation="relu")(i)
a = layers.Conv2D(16, 3, padding="same", activation="relu")(a)
b = layers.MaxPooling2D()(a)
b = layers.Conv2D(32, 3, padding="same", activation="relu")(b)
c = layers.MaxPooling2D()(b)
c = layers.Conv2D(64, 3, padding="same")(c)
c = layers.BatchNormalization()(c)
c = layers.Activation("relu")(c)
d = layers.UpSampling2D()(c)
d = layers.Concatenate()([d, b])
d = layers.Conv2D(32, 3, padding="same", activation="relu")(d)
e = layers.UpSampling2D(interpolation="bilinear")(d)
e = layers.Concatenate()([e, a])
e = layers.Conv2D(16, 3, padding="same", activation="relu")(e)
model = keras.Model(i, layers.Conv2D(21, 1, activation="softmax")(e))
masks = model.predict(x_test, batch_size=16)
masks = model.predict(x_test)
