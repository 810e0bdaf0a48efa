# device: 8 GiB
# keras: 3.15
import keras
import numpy as np
from keras import layers


def build(title, width=1024, blocks=16):
    inputs = x = keras.Input((512, width))
    for _ in range(blocks):
        x = x + layers.Dense(width)(layers.Dense(4 * width, activation="gelu")(layers.LayerNormalization()(x)))
    return keras.Model(inputs, layers.Dense(1)(layers.GlobalAveragePooling1D()(x)))


model = build("""The sixteen blocks
of width 1024""")
model.compile("adam", "mse", jit_compile=False)
model.fit(np.zeros((512, 512, 1024), "float32"), np.zeros((512, 1), "float32"), batch_size=8)
