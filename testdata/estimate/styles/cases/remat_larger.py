"""Convolutions of which the large parts are computed again, and all of the last ones."""

import keras
import numpy as np
from keras import layers

inputs = keras.Input((48, 48, 3))
x = inputs
for i, (width, threshold) in enumerate([(16, 20_000), (32, 100_000_000)]):
    with keras.RematScope(mode="larger_than", output_size_threshold=threshold):
        x = layers.Conv2D(width, 3, padding="same")(x)
        x = layers.LayerNormalization()(x)
        x = layers.Activation("gelu")(x)
    with keras.RematScope(mode="list_of_layers", layer_names=["pool_0"]):
        x = layers.MaxPooling2D(2, name=f"pool_{i}")(x)
with keras.RematScope(mode="full"):
    x = layers.Conv2D(64, 3, padding="same")(x)
    x = layers.LayerNormalization()(x)
    x = layers.Activation("silu")(x)
outputs = layers.Dense(10)(layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, outputs)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((64, 48, 48, 3), "float32"), np.zeros((64,), "int32"), batch_size=16)
