"""Batches from a generator without an end, which reads the paths that another one shuffles."""

import random

import numpy as np
import tensorflow as tf
from tensorflow import keras


def paths():
    names = ["%05d.png" % i for i in range(8000)]
    while True:
        random.shuffle(names)
        for name in names:
            yield name


def batches(batch_size):
    path = paths()
    while True:
        images = np.zeros((batch_size, 64, 64, 3), "float32")
        labels = np.zeros((batch_size, 1), "float32")
        for i in range(batch_size):
            labels[i] = len(next(path))
        yield tf.constant(images), tf.constant(labels)


model = keras.Sequential(
    [
        keras.Input((64, 64, 3)),
        keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(1),
    ]
)
optimizer = keras.optimizers.Adam(1e-4)
train_set = batches(32)

for epoch in range(2):
    for step in range(10):
        images, labels = next(train_set)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(images, training=True) - labels))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
