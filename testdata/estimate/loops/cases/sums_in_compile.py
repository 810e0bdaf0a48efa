"""A model whose compile makes the variables in which its train_step sums gradients."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Accumulating(keras.Model):
    def __init__(self):
        super().__init__()
        self.body = keras.Sequential([keras.Input((768,)), layers.Dense(1024, activation="relu"), layers.Dense(1024, activation="relu"), layers.Dense(10)])

    def call(self, x, training=False):
        return self.body(x, training=training)

    def compile(self, every=4, **kwargs):
        super().compile(**kwargs)
        self.every = every
        self.seen = tf.Variable(0, trainable=False)
        self.sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in self.body.trainable_variables]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True)) / self.every
        gradients = tape.gradient(loss, self.body.trainable_variables)
        for total, g in zip(self.sums, gradients):
            total.assign_add(g)
        self.seen.assign_add(1)
        if self.seen % self.every == 0:
            self.optimizer.apply_gradients(zip(self.sums, self.body.trainable_variables))
            for total in self.sums:
                total.assign(tf.zeros_like(total))
        return {"loss": loss}


model = Accumulating()
model.compile(optimizer="adam", loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((2560, 768), "float32"), np.zeros(2560, "int32"), batch_size=128)
