"""Crops of pictures of any size, which a generator yields and whose shapes nothing declares."""
import importlib

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

CROP, SCALE, BATCH = 48, 2, 6


def picture(path):
    """As if it were read: of a size that only the file tells."""
    rows = importlib.import_module("random").Random(path).randint(64, 80)
    return np.random.rand(rows, rows + 7, 3) * 255


def pictures():
    for number in range(96):
        yield picture("%04d.png" % number)


def pair(image):
    fine = tf.image.random_crop(image, [CROP, CROP, 3]) / 127.5 - 1.0
    return tf.image.resize(fine, (CROP // SCALE, CROP // SCALE)), fine


data = tf.data.Dataset.from_generator(pictures, output_types=tf.float32).map(pair).shuffle(12).batch(BATCH)
coarse = keras.Input((CROP // SCALE, CROP // SCALE, 3))
x = layers.Conv2D(40, 3, padding="same", activation="relu")(coarse)
x = layers.Conv2D(40, 3, padding="same", activation="relu")(x)
x = layers.Conv2DTranspose(40, 3, strides=SCALE, padding="same", activation="relu")(x)
network = keras.Model(coarse, layers.Conv2D(3, 3, padding="same")(x))
optimizer = keras.optimizers.Adam(1e-4)


@tf.function
def train_step(coarse_images, fine_images):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(network(coarse_images, training=True) - fine_images))
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
    return loss


for epoch in range(2):
    for coarse_images, fine_images in data:
        train_step(coarse_images, fine_images)
