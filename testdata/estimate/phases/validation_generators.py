import numpy as np
from tensorflow import keras


def batches(size):
    while True:
        yield np.zeros((size, 64, 64, 3), "float32"), np.zeros((size, 1), "float32")


class Pictures(keras.utils.Sequence):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def __len__(self):
        return 4

    def __getitem__(self, index):
        return np.zeros((self.size, 64, 64, 3), "float32"), np.zeros((self.size, 1), "float32")


model = keras.Sequential([
    keras.Input((64, 64, 3)),
    keras.layers.Conv2D(16, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(1),
])
model.compile(optimizer="adam", loss="mse")
model.fit(batches(8), steps_per_epoch=4, validation_data=batches(200), validation_steps=2)
model.fit(np.zeros((64, 64, 64, 3), "float32"), np.zeros((64, 1), "float32"), batch_size=16, validation_data=Pictures(128))
