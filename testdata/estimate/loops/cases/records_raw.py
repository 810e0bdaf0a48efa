"""Serialized cubes: raw bytes that are decoded and reshaped, with a float feature, into a loop that nothing compiles."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SHAPE, BATCH = (24, 24, 24, 1), 8
PATH = os.path.join(tempfile.mkdtemp(), "cubes.tfrecords")


def write():
    with tf.io.TFRecordWriter(PATH) as writer:
        for i in range(4 * BATCH):
            cube = np.full(SHAPE, i % 7, np.uint8).tobytes()
            feature = {
                "cube": tf.train.Feature(bytes_list=tf.train.BytesList(value=[cube])),
                "target": tf.train.Feature(float_list=tf.train.FloatList(value=[0.1, 0.2, 0.3])),
            }
            writer.write(tf.train.Example(features=tf.train.Features(feature=feature)).SerializeToString())


FEATURES = {
    "cube": tf.io.FixedLenFeature((), tf.string, default_value=""),
    "target": tf.io.FixedLenFeature((3,), tf.float32),
}


def read_record(record):
    fields = tf.io.parse_single_example(record, features=FEATURES)
    cube = tf.io.decode_raw(fields["cube"], tf.uint8)
    cube = tf.reshape(cube, SHAPE)
    return tf.cast(cube, tf.float32), fields["target"]


write()
dataset = tf.data.TFRecordDataset([PATH]).map(read_record).repeat().batch(BATCH)
model = tf.keras.Sequential([
    layers.Input(SHAPE),
    layers.Conv3D(16, 3, activation="relu"),
    layers.Conv3D(16, 3, activation="relu"),
    layers.MaxPooling3D(),
    layers.Flatten(),
    layers.Dense(32, activation="relu"),
    layers.Dense(3),
])
optimizer = tf.keras.optimizers.SGD(0.01, momentum=0.9)

for step, (cubes, targets) in enumerate(dataset.take(10)):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(cubes, training=True) - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
