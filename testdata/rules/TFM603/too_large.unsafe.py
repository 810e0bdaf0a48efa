# device: 8 GiB
from keras import layers
import keras

keras.mixed_precision.set_global_policy("mixed_float16")

model = keras.Sequential([
    layers.Input((256, 256, 3)),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(10, activation="softmax", dtype="float32"),
])
model.compile("adam", "categorical_crossentropy")
model.fit(x, y, batch_size=512)  # want "This training does not fit the GPU: .* less, and still not fit, but a batch of \d+ would\."
