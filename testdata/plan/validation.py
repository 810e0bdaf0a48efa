# device: 8 GiB
# keras: 3.15
import keras
import numpy as np

x, y = np.zeros((2_000, 64, 64, 3), "float32"), np.zeros((2_000,), "int32")
held_x, held_y = np.zeros((8_000, 64, 64, 3), "float32"), np.zeros((8_000,), "int32")

model = keras.Sequential([
    keras.Input((64, 64, 3)),
    keras.layers.Conv2D(256, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(256, 3, padding="same", activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(10),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(x, y, batch_size=32, validation_data=(held_x, held_y), validation_batch_size=4_000)
