import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.zeros((200, 128, 64), "float32")
i = keras.Input((128, 64))
h = layers.MultiHeadAttention(4, 16)(i, i)
h = layers.LayerNormalization()(layers.Add()([i, h]))
f = layers.Dense(256, activation="gelu")(h)
f = layers.Dense(64)(f)
h = layers.LayerNormalization()(layers.Add()([h, f]))
model = keras.Model(i, layers.Dense(1000)(h))
model.predict(x, batch_size=20)
model.predict(x, batch_size=100)
