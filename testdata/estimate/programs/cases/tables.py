"""Tables that NumPy computes, and what is sized by the numbers in them."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops
from tensorflow.math import *


class RelativeBias(layers.Layer):
    """A bias for each distance between two places of a window."""

    def __init__(self, size, heads, **kwargs):
        super().__init__(**kwargs)
        hh, ww = np.meshgrid(range(size), range(size), indexing="ij")
        places = np.stack([hh, ww], axis=-1).reshape(-1, 2)
        apart = places[:, None, :] - places[None, :, :] + size - 1
        self.index = apart[..., 0] * (2 * size - 1) + apart[..., 1]
        self.heads = heads

    def build(self, shape):
        self.table = self.add_weight(shape=(self.index.max() + 1, self.heads), name="table")

    def call(self, x):
        bias = tf.transpose(tf.gather(self.table, self.index), [2, 0, 1])
        return x + bias[None]


class Positions(layers.Layer):
    """Places that are the same for every input."""

    def build(self, shape):
        self.places = tf.convert_to_tensor(np.arange(0, 512, dtype="int64")[None])

    def call(self, x):
        return self.places[:, : x.shape[-1]]


class Scaled(layers.Conv2D):
    """A convolution with a weight besides, which only build knows of."""

    def build(self, shape):
        super().build(shape)
        self.gain = self.add_weight(shape=(self.filters,), name="gain")


class Masked(layers.Layer):
    def call(self, x):
        n = x.shape[1]
        mask = (1 - np.tri(n).astype("float32")[None]) * -1e4
        return x + reduce_mean(mask) + np.sign(np.linspace(-1.0, 1.0, n))[:, None]


class Patches(layers.Layer):
    def call(self, x):
        return tf.image.extract_patches(x, [1, 2, 2, 1], [1, 1, 1, 1], [1, 2, 2, 1], "VALID")


tokens = keras.Input((64,), dtype="int32")
x = layers.Embedding(100, 32)(tokens) + layers.Embedding(512, 32)(Positions()(tokens))
x = Masked()(x)
scores = ops.einsum("bqd,bkd->bqk", x, x)[:, None]
scores = RelativeBias(8, 4)(scores)
x = ops.transpose(scores, (0, 2, 3, 1))
rates = [part.tolist() for part in np.split(np.linspace(0, 0.3, 7), [2, 5])]
for stage, part in enumerate(rates):
    for rate in part[::-1]:
        x = Scaled(8 * (stage + 1), 3, strides=2 if rate == part[-1] else 1, padding="same")(x)
        if rate > 0:
            x = layers.Dropout(rate)(x)
widths = np.repeat(np.unique(np.array([24, 16, 24, 8])), [1, 2, 1])[::-1]
for width in widths:
    x = layers.Dense(int(width))(x)
table = np.concatenate([np.zeros((1, 3)), np.tile(np.eye(3), [2, 1])], axis=0)
x = layers.Dense(table.shape[0] * int(table.sum()))(layers.Flatten()(Patches()(x)))
if hasattr(layers, "NoSuchLayer"):
    x = layers.NoSuchLayer()(x)
elif hasattr(layers, "GroupNormalization"):
    x = layers.GroupNormalization(groups=7)(x)
model = keras.Model(tokens, layers.Dense(10)(x))
model.compile(optimizer="adam", loss="mse")
