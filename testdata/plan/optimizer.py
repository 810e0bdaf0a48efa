# device: 10 GiB
# keras: 3.15
import keras
import numpy as np

model = keras.Sequential([
    keras.Input((64,), dtype="int32"),
    keras.layers.Embedding(4_000_000, 128),
    keras.layers.GlobalAveragePooling1D(),
    keras.layers.Dense(1),
])
model.compile(keras.optimizers.Adam(), "mse", jit_compile=False)
model.fit(np.zeros((10_000, 64), "int32"), np.zeros((10_000, 1), "float32"), batch_size=32)
