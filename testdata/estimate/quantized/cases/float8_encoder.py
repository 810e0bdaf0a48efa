import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

x = inputs = keras.Input((64, 256))
for _ in range(2):
    x = x + layers.MultiHeadAttention(4, 64)(x, x)
    x = x + layers.Dense(256)(layers.Dense(1024, activation="relu")(x))
model = keras.Model(inputs, layers.Dense(10)(layers.GlobalAveragePooling1D()(x)))
model.quantize("float8")
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((320, 64, 256), "float32"), np.zeros(320, "int32"), batch_size=16)
