"""A text classifier whose normalization is written out: differences from a mean over a deviation."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LENGTH, WORDS, WIDTH = 120, 8000, 192


class Standardize(layers.Layer):
    def __init__(self, epsilon=1e-6):
        super().__init__()
        self.epsilon = epsilon

    def build(self, input_shape):
        self.gain = self.add_weight(name="gain", shape=(input_shape[-1],), initializer="ones")
        self.bias = self.add_weight(name="bias", shape=(input_shape[-1],), initializer="zeros")

    def call(self, x):
        mean = tf.reduce_mean(x, axis=-1, keepdims=True)
        std = tf.math.reduce_std(x, axis=-1, keepdims=True)
        return self.gain * (x - mean) / (std + self.epsilon) + self.bias


class Whiten(layers.Layer):
    def call(self, x):
        variance = tf.math.reduce_variance(x, axis=1, keepdims=True)
        return (x - tf.reduce_mean(x, axis=1, keepdims=True)) * tf.math.rsqrt(variance + 1e-5)


tokens = keras.Input((LENGTH,), dtype="int32")
x = layers.Embedding(WORDS, WIDTH)(tokens)
for _ in range(3):
    x = Standardize()(x)
    x = layers.Dense(2 * WIDTH, activation="relu")(x)
    x = layers.Dense(WIDTH)(x)
    x = Whiten()(x)
x = layers.GlobalAveragePooling1D()(x)
model = keras.Model(tokens, layers.Dense(5, activation="softmax")(x))
model.compile(optimizer="adam", loss="sparse_categorical_crossentropy")

texts = np.random.randint(0, WORDS, (512, LENGTH))
labels = np.random.randint(0, 5, (512,))
model.fit(texts, labels, batch_size=32, epochs=4)
