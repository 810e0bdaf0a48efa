# device: 4 GiB
# keras: 3.15
"""The data comes from elsewhere, in its own size."""
import keras
import numpy as np
from keras import layers

SIZE = 256
pictures = np.zeros((256, 65536, 3), "float32").reshape((-1, 256, 65536 // 256, 3))
x = inputs = keras.Input(shape=(SIZE, SIZE, 3))
for filters in (64, 128):
    x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
x = layers.Dense(10)(layers.GlobalAveragePooling2D()(x))
model = keras.Model(inputs, x)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(pictures, np.zeros((256,), "int32"), batch_size=32)
