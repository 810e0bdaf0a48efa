"""Trains a classifier of flowers on top of ResNet50, all of it.

`tfmem estimate` on it is what the README shows: how much of a GPU it needs.
"""

import tensorflow as tf
from tensorflow.keras import layers

BATCH_SIZE = 128
CLASSES = 102


def build(classes):
    inputs = tf.keras.Input((224, 224, 3))
    base = tf.keras.applications.ResNet50(include_top=False, weights="imagenet", pooling="avg")
    features = layers.Dropout(0.3)(base(inputs))
    return tf.keras.Model(inputs, layers.Dense(classes, activation="softmax")(features))


def main():
    for gpu in tf.config.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(gpu, True)
    train = tf.keras.utils.image_dataset_from_directory("flowers", image_size=(224, 224), batch_size=BATCH_SIZE)
    model = build(CLASSES)
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=10)


if __name__ == "__main__":
    main()
