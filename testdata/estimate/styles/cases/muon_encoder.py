"""Muon on an encoder: kernels of attention, of two shapes, and a table that Adam updates."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

tokens = keras.Input((64,), dtype="int32")
x = layers.Embedding(4000, 256)(tokens)
for _ in range(2):
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 64)(x, x))
    x = layers.LayerNormalization()(x + layers.Dense(256)(layers.Dense(1024, activation="relu")(x)))
model = keras.Model(tokens, layers.Dense(4000)(layers.GlobalAveragePooling1D()(x)))
model.compile(keras.optimizers.Muon(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((160, 64), "int32"), np.zeros(160, "int32"), batch_size=8)
