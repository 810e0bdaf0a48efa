# device: 8 GiB
# keras: 3.15
# Two trainings have one batch size: both accumulate.
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

BATCH_SIZE = 128

train_ds = keras.utils.image_dataset_from_directory("train", image_size=(224, 224), batch_size=BATCH_SIZE)
val_ds = keras.utils.image_dataset_from_directory("val", image_size=(224, 224), batch_size=BATCH_SIZE)


def build(width):
    model = keras.Sequential([
        layers.Input((224, 224, 3)),
        layers.Rescaling(1 / 255),
        layers.Conv2D(width, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(2 * width, 3, activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(10),
    ])
    return model


loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
small = build(32)
small.compile(keras.optimizers.Adam(1e-3), loss)
small.fit(train_ds, validation_data=val_ds, epochs=5)

large = build(64)
large.compile(keras.optimizers.Adam(1e-4), loss)
large.fit(train_ds, validation_data=val_ds, epochs=5)
