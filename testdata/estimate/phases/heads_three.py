import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.rand(300, 64, 64, 3)
i = keras.Input((64, 64, 3))
h = layers.Rescaling(1 / 255.0)(i)
h = layers.SeparableConv2D(32, 3, strides=2, padding="same", activation="relu")(h)
h = layers.SeparableConv2D(64, 3, strides=2, padding="same", activation="elu")(h)
boxes = layers.Conv2D(24, 3, padding="same", name="boxes")(h)
scores = layers.Conv2D(60, 3, padding="same", activation="sigmoid", name="scores")(h)
pooled = layers.GlobalAveragePooling2D()(h)
label = layers.Dense(10, activation="softmax", name="label")(pooled)
model = keras.Model(i, {"boxes": boxes, "scores": scores, "label": label})
out = model.predict(x, batch_size=100)
