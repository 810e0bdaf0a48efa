"""Triplets of images from zipped datasets, compared by a train_step of the model's own."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH = 16


def images():
    return tf.data.Dataset.from_tensor_slices(np.zeros((64, 48, 48, 3), "float32"))


def scaled(anchor, pair):
    positive, negative = pair
    return {"anchor": anchor / 255.0, "others": (positive / 255.0, negative / 255.0)}


dataset = tf.data.Dataset.zip((images(), tf.data.Dataset.zip((images(), images())))).map(scaled).batch(BATCH)

embedding = keras.Sequential(
    [
        keras.layers.Input((48, 48, 3)),
        keras.layers.Conv2D(32, 3, strides=2, activation="relu"),
        keras.layers.BatchNormalization(),
        keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        keras.layers.Flatten(),
        keras.layers.Dense(128),
    ]
)


class Siamese(keras.Model):
    def __init__(self, network, margin=0.5):
        super().__init__()
        self.network = network
        self.margin = margin

    def call(self, inputs):
        return self.network(inputs["anchor"])

    def train_step(self, data):
        with tf.GradientTape() as tape:
            anchor = self.network(data["anchor"], training=True)
            positive, negative = (self.network(x, training=True) for x in data["others"])
            near = tf.reduce_sum(tf.square(anchor - positive), -1)
            far = tf.reduce_sum(tf.square(anchor - negative), -1)
            loss = tf.reduce_mean(tf.maximum(near - far + self.margin, 0.0))
        gradients = tape.gradient(loss, self.network.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.network.trainable_weights))
        return {"loss": loss}


model = Siamese(embedding)
model.compile(optimizer=keras.optimizers.RMSprop(1e-4), jit_compile=False)
model.fit(dataset, epochs=1)
