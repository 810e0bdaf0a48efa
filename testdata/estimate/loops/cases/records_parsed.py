"""Serialized pictures: examples are parsed, decoded and resized, and a loop of the program's own trains on them."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE, BATCH, CLASSES = 96, 16, 10
PATH = os.path.join(tempfile.mkdtemp(), "pictures.tfrecords")


def write():
    with tf.io.TFRecordWriter(PATH) as writer:
        for i in range(3 * BATCH):
            picture = tf.io.encode_jpeg(np.full((100 + i, 120, 3), i, "uint8")).numpy()
            feature = {
                "image/encoded": tf.train.Feature(bytes_list=tf.train.BytesList(value=[picture])),
                "image/label": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % CLASSES])),
            }
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())


def parse(record):
    description = {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/label": tf.io.FixedLenFeature([], tf.int64),
    }
    example = tf.io.parse_single_example(record, description)
    picture = tf.io.decode_jpeg(example["image/encoded"], channels=3)
    picture = tf.image.resize(picture, (SIZE, SIZE))
    return tf.cast(picture, tf.float32) / 127.5 - 1.0, example["image/label"]


write()
dataset = tf.data.TFRecordDataset(PATH).map(parse).shuffle(64).batch(BATCH, drop_remainder=True)
model = tf.keras.Sequential([
    layers.Input((SIZE, SIZE, 3)),
    layers.Conv2D(32, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(64, 3, padding="same", activation="relu"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dense(64, activation="relu"),
    layers.Dense(CLASSES),
])
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()


@tf.function
def train_step(pictures, labels):
    with tf.GradientTape() as tape:
        loss = loss_object(labels, model(pictures, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(2):
    for pictures, labels in dataset:
        train_step(pictures, labels)
