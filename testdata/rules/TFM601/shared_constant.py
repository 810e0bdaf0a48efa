# device: 8 GiB
# keras: 3.8
import numpy as np
from tensorflow import keras

# It is the width of a layer too, which no fix may change.
N = 512  # want "A batch of 512 will not fit the GPU\."
model = keras.Sequential([
    keras.layers.Input((224, 224, 3)),
    keras.layers.Conv2D(64, 3, activation="relu", padding="same"),
    keras.layers.Conv2D(64, 3, activation="relu", padding="same"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(N, activation="relu"),
    keras.layers.Dense(10),
])
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((5000, 224, 224, 3), "float32"), np.zeros(5000, "int32"), batch_size=N)
