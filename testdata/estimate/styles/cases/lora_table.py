"""A table and the dense layer after it have adapters; both are the first that train."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

tokens = keras.Input((64,), dtype="int32")
table, first = layers.Embedding(8000, 256), layers.Dense(1024, activation="relu")
x = first(table(tokens))
model = keras.Model(tokens, layers.Dense(10)(layers.GlobalAveragePooling1D()(x)))
table.enable_lora(8)
first.enable_lora(8)
model.compile(keras.optimizers.Adam(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((640, 64), "int32"), np.zeros(640, "int32"), batch_size=32)
