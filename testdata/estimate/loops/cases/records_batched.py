"""Serialized rows that are parsed a batch at a time, with a matrix and an identifier, for a factorization by hand."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

BATCH, FIELDS, USERS = 512, 40, 5000
PATH = os.path.join(tempfile.mkdtemp(), "rows.tfrecords")
FEATURES = {
    "dense": tf.io.FixedLenFeature([FIELDS], tf.float32),
    "user": tf.io.FixedLenFeature([], tf.int64),
    "clicked": tf.io.FixedLenFeature([1], tf.float32),
}

with tf.io.TFRecordWriter(PATH) as writer:
    for i in range(3 * BATCH):
        fields = {
            "dense": tf.train.Feature(float_list=tf.train.FloatList(value=np.zeros(FIELDS))),
            "user": tf.train.Feature(int64_list=tf.train.Int64List(value=[i % USERS])),
            "clicked": tf.train.Feature(float_list=tf.train.FloatList(value=[i % 2])),
        }
        writer.write(tf.train.Example(features=tf.train.Features(feature=fields)).SerializeToString())

dataset = tf.data.TFRecordDataset(PATH).batch(BATCH, drop_remainder=True).map(lambda rows: tf.io.parse_example(rows, FEATURES))


class Ranker(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.users = layers.Embedding(USERS, 64)
        self.deep = [layers.Dense(n, activation="relu") for n in (1024, 512, 256)]
        self.out = layers.Dense(1)

    def call(self, features):
        x = tf.concat([features["dense"], self.users(features["user"])], axis=-1)
        for layer in self.deep:
            x = layer(x)
        return self.out(x)


model = Ranker()
optimizer = tf.keras.optimizers.Adam()
loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def train_step(features):
    with tf.GradientTape() as tape:
        loss = loss_fn(features["clicked"], model(features, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for features in dataset:
    train_step(features)
