"""A transformer whose blocks are computed again as a whole in the backward pass."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Block(layers.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.first, self.second = layers.LayerNormalization(), layers.LayerNormalization()
        self.query, self.key, self.value = (layers.Dense(width) for _ in range(3))
        self.wide, self.narrow = layers.Dense(4 * width, activation="relu"), layers.Dense(width)
        self.scale = width ** -0.5

    def build(self, shape):
        for part in (self.first, self.second, self.query, self.key, self.value, self.wide):
            part.build(shape)
        self.narrow.build(shape[:-1] + (self.wide.units,))

    def run(self, x):
        y = self.first(x)
        scores = tf.nn.softmax(tf.matmul(self.query(y), self.key(y), transpose_b=True) * self.scale)
        x = x + tf.matmul(scores, self.value(y))
        return x + self.narrow(self.wide(self.second(x)))

    def call(self, x):
        return tf.recompute_grad(self.run)(x)


inputs = keras.Input((128, 64))
x = inputs
for _ in range(4):
    x = Block(64)(x)
outputs = layers.Dense(10)(layers.GlobalAveragePooling1D()(x))
model = keras.Model(inputs, outputs)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.zeros((32, 128, 64), "float32"), np.zeros((32,), "int32"), batch_size=16)
