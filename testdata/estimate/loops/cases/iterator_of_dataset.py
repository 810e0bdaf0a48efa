"""A trainer that asks the iterator of its dataset for the next batch, and pretrains a generator on a content loss."""

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

SIZE, BATCH = 64, 8


def block(x, filters):
    y = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
    y = layers.BatchNormalization()(y)
    y = layers.LeakyReLU(0.2)(y)
    y = layers.Conv2D(filters, 3, padding="same")(y)
    return layers.Add()([x, y])


def build_generator():
    inputs = layers.Input((SIZE, SIZE, 3))
    x = layers.Conv2D(48, 3, padding="same")(inputs)
    for _ in range(3):
        x = block(x, 48)
    return tf.keras.Model(inputs, layers.Conv2D(3, 3, padding="same", activation="tanh")(x))


class Trainer:
    def __init__(self, batch_size=BATCH):
        self.batch_size = batch_size
        self.metric = tf.keras.metrics.Mean()

    def get_dataset(self):
        pictures = np.zeros((64, SIZE, SIZE, 3), np.float32)
        ds = tf.data.Dataset.from_tensor_slices(pictures).shuffle(64).repeat()
        return iter(ds.batch(self.batch_size).prefetch(2))

    @tf.function
    def pretrain_step(self, pictures, generator, optimizer):
        with tf.GradientTape() as tape:
            generated = generator(pictures, training=True)
            loss = tf.reduce_mean(tf.abs(pictures - generated))
        grads = tape.gradient(loss, generator.trainable_variables)
        optimizer.apply_gradients(zip(grads, generator.trainable_variables))

    def pretrain(self, steps=5):
        dataset = self.get_dataset()
        generator = build_generator()
        optimizer = tf.keras.optimizers.Adam(2e-4)
        for step in range(1, steps + 1):
            pictures = dataset.next()
            self.pretrain_step(pictures, generator, optimizer)


Trainer().pretrain()
