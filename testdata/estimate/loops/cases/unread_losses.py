"""A train_step computes losses that nothing reads: the graph leaves them out."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Watched(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            out = self(x, training=True)
            loss = self.compute_loss(x, y, out)
            spread = tf.reduce_mean(tf.square(tf.math.log(tf.nn.softmax(out) + 1e-6)))
        reconstructed = tf.reduce_mean(tf.abs(self(tf.reverse(x, [1]), training=False) - out))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}


inputs = keras.Input((32, 32, 3))
x = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
x = layers.Conv2D(32, 3, padding="same", activation="relu")(x)
model = Watched(inputs, layers.Conv2D(16, 3, padding="same")(x))
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), jit_compile=False)
model.fit(np.zeros((640, 32, 32, 3), "float32"), np.zeros((640, 32, 32), "int32"), batch_size=32)
