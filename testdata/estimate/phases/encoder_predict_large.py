import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

i = keras.Input((96, 128))
h = i
for _ in range(2):
    h = layers.LayerNormalization()(h + layers.MultiHeadAttention(4, 32)(h, h))
    h = layers.LayerNormalization()(h + layers.Dense(128)(layers.Dense(512, activation="gelu")(h)))
model = keras.Model(i, layers.Dense(4)(layers.GlobalAveragePooling1D()(h)))
model.compile("adam", "mse", jit_compile=False)
model.fit(np.zeros((64, 96, 128), "float32"), np.zeros((64, 4), "float32"), batch_size=4)
model.predict(np.zeros((512, 96, 128), "float32"), batch_size=128)
