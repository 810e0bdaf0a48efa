# device: 4 GiB
# keras: 3.15
"""A layer has as many filters as pictures are high: that number stays."""
import keras
import numpy as np
from keras import layers

pictures = np.zeros((256, 256, 256, 3), "float32")
x = inputs = keras.Input(shape=(256, 256, 3))
for filters in (64, 256):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
x = layers.Dense(10)(layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, x)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(pictures, np.zeros((256,), "int32"), batch_size=32)
