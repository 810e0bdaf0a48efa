"""Paths and labels that a CSV file lists, read row by row: their pictures are resized in a loop of the program's own."""

import csv
import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

ROOT, SIZE, BATCH, CLASSES = tempfile.mkdtemp(), 112, 8, 5


def write():
    with open(os.path.join(ROOT, "images.csv"), "w", newline="") as f:
        writer = csv.writer(f)
        for i in range(4 * BATCH):
            path = os.path.join(ROOT, f"{i}.jpg")
            tf.io.write_file(path, tf.io.encode_jpeg(np.full((120, 130, 3), i, "uint8")))
            writer.writerow([path, i % CLASSES])


def load_csv():
    images, labels = [], []
    with open(os.path.join(ROOT, "images.csv")) as f:
        reader = csv.reader(f)
        for row in reader:
            image, label = row
            images.append(image)
            labels.append(int(label))
    return images, labels


def preprocess(path, label):
    x = tf.io.read_file(path)
    x = tf.image.decode_jpeg(x, channels=3)
    x = tf.image.resize(x, [SIZE, SIZE])
    return tf.cast(x, tf.float32) / 255.0, tf.convert_to_tensor(label)


write()
images, labels = load_csv()
db = tf.data.Dataset.from_tensor_slices((images, labels))
db = db.shuffle(1000).map(preprocess).batch(BATCH, drop_remainder=True).repeat(2)
network = tf.keras.Sequential([
    layers.Conv2D(48, 11, 4, activation="relu"),
    layers.MaxPooling2D(3, 2),
    layers.Conv2D(96, 3, padding="same", activation="relu"),
    layers.Flatten(),
    layers.Dense(256, activation="relu"),
    layers.Dense(CLASSES),
])
network.build(input_shape=(None, SIZE, SIZE, 3))
optimizer = tf.keras.optimizers.SGD(0.01)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        out = network(x)
        loss = tf.reduce_mean(tf.square(out - tf.one_hot(y, CLASSES)))
    optimizer.apply_gradients(zip(tape.gradient(loss, network.trainable_variables), network.trainable_variables))


for x, y in db:
    step(x, y)
