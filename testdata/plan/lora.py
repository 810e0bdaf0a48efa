# device: 5 GiB
# keras: 3.15
import keras
import numpy as np
from keras import layers

inputs = x = keras.Input((64, 2048))
for _ in range(8):
    x = x + layers.Dense(2048)(layers.Dense(8192, activation="gelu")(layers.LayerNormalization()(x)))
base = keras.Model(inputs, layers.GlobalAveragePooling1D()(x))
base.load_weights("base.weights.h5")
model = keras.Model(inputs, layers.Dense(10)(base.output))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((512, 64, 2048), "float32"), np.zeros((512,), "int32"), batch_size=8)
