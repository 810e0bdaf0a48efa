"""A CNN's train_step sums gradients in variables made from trainable_variables."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Accumulating(keras.Model):
    def __init__(self, net, steps):
        super().__init__()
        self.net, self.steps = net, steps
        self.count = tf.Variable(0, dtype=tf.int32, trainable=False)
        self.sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in net.trainable_variables]

    def call(self, x, training=None):
        return self.net(x, training=training)

    def train_step(self, data):
        x, y = data
        self.count.assign_add(1)
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        for total, g in zip(self.sums, tape.gradient(loss, self.net.trainable_variables)):
            total.assign_add(g / self.steps)
        tf.cond(self.count % self.steps == 0, self.apply, lambda: None)
        return {"loss": loss}

    def apply(self):
        self.optimizer.apply_gradients(zip(self.sums, self.net.trainable_variables))
        for total in self.sums:
            total.assign(tf.zeros_like(total))


net = keras.Sequential([keras.Input((24, 24, 64)), layers.Conv2D(256, 3, padding="same", activation="relu"), layers.Conv2D(256, 3, padding="same", activation="relu"), layers.GlobalAveragePooling2D(), layers.Dense(10)])
model = Accumulating(net, 4)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((160, 24, 24, 64), "float32"), np.zeros(160, "int32"), batch_size=8)
