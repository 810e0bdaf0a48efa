# device: 8 GiB
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([
    layers.Input((256, 256, 3)),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10, activation="softmax"),
])
model.compile("adam", "categorical_crossentropy")
model.fit(np.zeros((512, 256, 256, 3)), np.zeros((512, 10)), batch_size=72)  # want "warning: Training with a batch of 512 needs about .* TensorFlow can have .* of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is"
