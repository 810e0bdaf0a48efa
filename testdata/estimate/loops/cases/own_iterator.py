"""A loader that is its own iterator, for a siamese network whose loop asks it for pairs."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE, BATCH = 72, 12


class PairLoader:
    def __init__(self, batch_size, batches=4):
        self.batch_size, self.batches, self.at = batch_size, batches, 0

    def __iter__(self):
        self.at = 0
        return self

    def __next__(self):
        if self.at >= self.batches:
            raise StopIteration
        self.at += 1
        left = np.random.rand(self.batch_size, SIZE, SIZE, 1).astype(np.float32)
        right = np.random.rand(self.batch_size, SIZE, SIZE, 1).astype(np.float32)
        return left, right, np.random.randint(0, 2, (self.batch_size,)).astype(np.float32)


def embedding():
    return tf.keras.Sequential([
        layers.Input((SIZE, SIZE, 1)),
        layers.Conv2D(32, 5, activation="relu"),
        layers.MaxPooling2D(),
        layers.Conv2D(64, 5, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(128, activation="sigmoid"),
    ])


network = embedding()
optimizer = tf.keras.optimizers.Adam(1e-4)


@tf.function
def train_step(left, right, same):
    with tf.GradientTape() as tape:
        distance = tf.reduce_sum(tf.square(network(left) - network(right)), axis=1)
        margin = tf.square(tf.maximum(1.0 - tf.sqrt(distance + 1e-9), 0.0))
        loss = tf.reduce_mean(same * distance + (1.0 - same) * margin)
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
    return loss


for epoch in range(2):
    for left, right, same in PairLoader(BATCH):
        train_step(*(tf.convert_to_tensor(x) for x in (left, right, same)))
