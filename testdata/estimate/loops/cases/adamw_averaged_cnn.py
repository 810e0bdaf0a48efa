"""A train_step averages a CNN's weights as d * e + (1 - d) * w beside AdamW with clipping."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def net():
    return keras.Sequential([keras.Input((16, 16, 64)), layers.Conv2D(256, 3, padding="same", activation="relu"), layers.Conv2D(256, 3, padding="same", activation="relu"), layers.Flatten(), layers.Dense(64)])


class Averaged(keras.Model):
    def __init__(self, decay=0.99):
        super().__init__()
        self.net, self.ema, self.decay = net(), net(), decay

    def call(self, x, training=None):
        return self.net(x, training=training)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(x, y, self(x, training=True))
        weights = self.net.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        for w, e in zip(weights, self.ema.trainable_weights):
            e.assign(self.decay * e + (1 - self.decay) * w)
        return {"loss": loss}


model = Averaged()
model.compile(keras.optimizers.AdamW(1e-3, weight_decay=0.05, clipnorm=1.0), keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((160, 16, 16, 64), "float32"), np.zeros(160, "int32"), batch_size=8)
