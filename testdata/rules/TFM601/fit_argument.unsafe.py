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
model.fit(np.zeros((512, 256, 256, 3)), np.zeros((512, 10)), batch_size=64)  # want "warning: A batch of 512 will not fit the GPU\. Training needs about [\d.]+ GiB of GPU memory \([\d.]+ GiB to [\d.]+ GiB\): weights [\d.]+ [KMG]iB, .*activations [\d.]+ [MG]iB.* at the peak\. TensorFlow can use [\d.]+ GiB of a GPU of 8 GiB \(named by the case\)\. The largest batch that fits is [\d.]+\.$"
