"""Preparation of images, one by one and in batches, in front of a model."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers

augmented = keras.Sequential([layers.Rescaling(1 / 255.0), layers.Resizing(52, 52), layers.RandomCrop(48, 48), layers.RandomFlip()])
plain = keras.Sequential([layers.Rescaling(1 / 255.0), layers.Resizing(48, 48)])


def prepared(images, labels, train):
    data = tf.data.Dataset.from_tensor_slices((images, labels))
    data = data.map(lambda x, y: (augmented(x) if train else plain(x), y))
    return data.batch(16)


class Patches(layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, images):
        patches = tf.image.extract_patches(images, [1, self.size, self.size, 1], [1, self.size, self.size, 1], [1, 1, 1, 1], "VALID")
        return tf.reshape(patches, (tf.shape(images)[0], -1, patches.shape[-1]))


class Shifted(keras.Model):
    """Crops of the same size, one beside the other."""

    def __init__(self, width):
        super().__init__()
        self.patches = Patches(8)
        self.projection = layers.Dense(width)
        self.head = layers.Dense(3)

    def call(self, x):
        half = x.shape[1] // 2
        cut = tf.image.crop_to_bounding_box(x, half, 0, half, 48)
        x = tf.concat([x, tf.image.pad_to_bounding_box(cut, 0, 0, 48, 48)], axis=-1)
        x = self.projection(self.patches(x))
        return self.head(tf.reduce_mean(x, axis=1))


train = prepared(np.zeros((64, 32, 32, 3), "uint8"), np.zeros(64), True)
shifted = Shifted(20)
shifted.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
shifted.fit(train, verbose=0)


class Batches(keras.utils.PyDataset):
    """What hands out one batch after the other."""

    def __init__(self, count, size, **kwargs):
        super().__init__(**kwargs)
        self.count, self.size = count, size

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        x = np.empty((self.size, 24, 24, 1), "float32")
        return x, np.zeros((self.size, 2))


small = keras.Sequential([layers.Conv2D(6, 3), layers.Flatten(), layers.Dense(2)])
small.compile("adam", "mse", jit_compile=False)
small.fit(Batches(3, size=12), verbose=0)
