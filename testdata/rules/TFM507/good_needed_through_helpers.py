# What train_step calls reads values; a model that counts, and one that decides by a value.
import keras
import numpy as np
import tensorflow as tf


def weights_of(y):
    return np.bincount(y)


class Weighted(keras.Model):
    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(self(x) * weights_of(y))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.trainable_variables))
        return {"loss": loss}


model = Weighted()
model.compile("adam", "mse", run_eagerly=True)
model.fit(x, y)
