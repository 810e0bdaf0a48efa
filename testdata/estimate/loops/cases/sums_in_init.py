"""A model sums the gradients of batches in variables that its __init__ makes."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Accumulating(keras.Model):
    def __init__(self, steps, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.steps = tf.constant(steps, tf.int32)
        self.seen = tf.Variable(0, dtype=tf.int32, trainable=False)
        self.sums = [tf.Variable(tf.zeros_like(v), trainable=False) for v in self.trainable_variables]

    def train_step(self, data):
        x, y = data
        self.seen.assign_add(1)
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        for total, g in zip(self.sums, tape.gradient(loss, self.trainable_variables)):
            total.assign_add(g)
        tf.cond(tf.equal(self.seen, self.steps), self.apply_sums, lambda: None)
        return {"loss": loss}

    def apply_sums(self):
        self.optimizer.apply_gradients(zip(self.sums, self.trainable_variables))
        self.seen.assign(0)
        for total in self.sums:
            total.assign(tf.zeros_like(total))


x = inputs = keras.Input((512,))
for width in (1024, 1024):
    x = layers.Dense(width, activation="relu")(x)
model = Accumulating(2, inputs, layers.Dense(10)(x))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((1024, 512), "float32"), np.zeros(1024, "int32"), batch_size=64)
