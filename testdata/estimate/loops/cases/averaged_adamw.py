"""A train_step averages the weights by hand beside AdamW, whose decay runs ahead."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def net():
    return keras.Sequential([keras.Input((1024,)), layers.Dense(2048, activation="relu"), layers.Dense(2048, activation="relu"), layers.Dense(10)])


class Averaged(keras.Model):
    def __init__(self):
        super().__init__()
        self.net, self.ema = net(), net()

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(keras.losses.sparse_categorical_crossentropy(y, self.net(x, training=True), from_logits=True))
        grads = tape.gradient(loss, self.net.trainable_weights)
        self.optimizer.apply_gradients(zip(grads, self.net.trainable_weights))
        for w, e in zip(self.net.weights, self.ema.weights):
            e.assign(0.999 * e + 0.001 * w)
        return {"loss": loss}


model = Averaged()
model.compile(keras.optimizers.AdamW(1e-3, weight_decay=1e-4), jit_compile=False)
model.fit(np.zeros((4096, 1024), "float32"), np.zeros(4096, "int32"), batch_size=512)
