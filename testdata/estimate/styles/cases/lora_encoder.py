"""An encoder of which only the adapters of its attention and of its dense layers train."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((64, 256))
x = inputs
for _ in range(3):
    x = layers.LayerNormalization()(x + layers.MultiHeadAttention(4, 64)(x, x))
    x = layers.LayerNormalization()(x + layers.Dense(256)(layers.Dense(1024, activation="gelu")(x)))
model = keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling1D()(x)))
for layer in model._flatten_layers(include_self=False):
    if isinstance(layer, (layers.EinsumDense, layers.Dense)):
        layer.enable_lora(4)
    else:
        layer.trainable = isinstance(layer, layers.MultiHeadAttention)
model.compile(keras.optimizers.Adam(1e-3), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((320, 64, 256), "float32"), np.zeros(320, "int32"), batch_size=16)
