"""Pools over sequences and volumes, with a size for each axis, in layers that TensorFlow 1 taught."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class TextCNN(keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = layers.Embedding(5000, 128)
        self.convolution = layers.Conv1D(256, 5, padding="same", activation="relu")
        self.volume = layers.Conv3D(8, 3, padding="same", activation="relu")
        self.out = layers.Dense(4)

    def call(self, words):
        x = self.convolution(self.embedding(words))
        halves = tf.nn.max_pool(x, ksize=[1, 2, 1], strides=[1, 2, 1], padding="VALID")
        volume = self.volume(tf.reshape(halves, [-1, 10, 10, 256, 1]))
        volume = tf.nn.avg_pool3d(volume, ksize=[1, 2, 2, 2, 1], strides=[1, 2, 2, 2, 1], padding="SAME")
        volume = tf.nn.max_pool(volume, ksize=[1, 5, 5, 1, 1], strides=[1, 5, 5, 1, 1], padding="VALID")
        return self.out(tf.reshape(volume, [-1, 128 * 8]))


model = TextCNN()
optimizer = keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(words, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(words, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((256, 200), "int32"), np.zeros(256, "int32")))
for words, labels in data.batch(32):
    train_step(words, labels)
