# device: 2 GiB
# keras: 3.15
import keras
import numpy as np

x = np.zeros((30000, 32, 32, 3), "float32")
y = np.zeros((30000,), "int32")
model = keras.Sequential([keras.Input((32, 32, 3)), keras.layers.Conv2D(64, 3, activation="relu"), keras.layers.Conv2D(64, 3, activation="relu"), keras.layers.GlobalAveragePooling2D(), keras.layers.Dense(10)])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(x, y, batch_size=1500, epochs=3)
