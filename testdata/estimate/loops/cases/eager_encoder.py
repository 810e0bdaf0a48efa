import numpy as np
import keras
from keras import layers
inputs = keras.Input((128,), dtype="int32")
x = layers.Embedding(8000, 192)(inputs)
for _ in range(3):
    h = layers.LayerNormalization()(x)
    h = layers.MultiHeadAttention(6, 32)(h, h)
    x = layers.Add()([x, h])
    h = layers.LayerNormalization()(x)
    h = layers.Dense(768, activation="relu")(h)
    h = layers.Dense(192)(h)
    x = layers.Add()([x, h])
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"], run_eagerly=True)
model.fit(np.zeros((160, 128), "int32"), np.zeros((160, 1), "float32"), batch_size=32)
