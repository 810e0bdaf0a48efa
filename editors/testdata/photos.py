"""Learns to tell seven kinds of flowers apart. 🌷"""

import tensorflow as tf
from tensorflow import keras

IMAGE_SIZE = (224, 224)
BATCH_SIZE = 768

photos = keras.utils.image_dataset_from_directory("photos", image_size=IMAGE_SIZE, batch_size=BATCH_SIZE)

model = keras.Sequential([
    keras.Input(IMAGE_SIZE + (3,)),
    keras.layers.Rescaling(1 / 255),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Conv2D(128, 3, padding="same", activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(7),
])
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(photos, epochs=5)
