"""A model's compute_loss asks a frozen network, which a function outside has made, what it sees."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def eyes():
    base = keras.applications.DenseNet121(include_top=False, weights=None, input_shape=(64, 64, 3))
    net = keras.Model(base.input, base.get_layer("pool2_relu").output)
    net.trainable = False
    return net


class Restorer(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = layers.Conv2D(48, 3, padding="same", activation="relu")
        self.second = layers.Conv2D(48, 3, padding="same", activation="relu")
        self.last = layers.Conv2D(3, 3, padding="same")
        self.sees = eyes()

    def call(self, x):
        return self.last(self.second(self.first(x)))

    def compute_loss(self, x=None, y=None, y_pred=None, sample_weight=None, training=True):
        pixels = tf.reduce_mean(tf.square(y - y_pred))
        return pixels + 0.1 * tf.reduce_mean(tf.square(self.sees(y, training=False) - self.sees(y_pred, training=False)))


model = Restorer()
model.compile(optimizer="adam", jit_compile=False)
noisy = np.zeros((64, 64, 64, 3), "float32")
model.fit(noisy, noisy, batch_size=8)
