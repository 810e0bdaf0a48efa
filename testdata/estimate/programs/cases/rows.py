"""Rates, widths and sizes that NumPy and TensorFlow compute."""

import keras
import numpy as np
import tensorflow as tf
from keras import layers, ops

DEPTHS = [2, 3, 2]
WIDTHS = np.array([16, 32, 64])


class StochasticDepth(layers.Layer):
    def __init__(self, rate, **kwargs):
        super().__init__(**kwargs)
        self.rate = rate

    def call(self, x, training=None):
        if training:
            keep = 1 - self.rate
            shape = (ops.shape(x)[0],) + (1,) * (len(x.shape) - 1)
            return x / keep * ops.floor(keep + keras.random.uniform(shape))
        return x


def block(x, width, rate):
    y = layers.DepthwiseConv2D(5, padding="same")(x)
    y = layers.LayerNormalization(epsilon=1e-6)(y)
    y = layers.Dense(4 * width, activation="gelu")(y)
    y = layers.Dense(width)(y)
    if rate > 0:
        y = StochasticDepth(rate)(y)
    else:
        y = layers.Activation("linear")(y)
    return x + y


rates = [float(r) for r in np.linspace(0, 0.2, sum(DEPTHS))]
image = keras.Input((64, 64, 3))
x = image
at = 0
for width, depth in zip(WIDTHS, DEPTHS):
    x = layers.Conv2D(int(width), 2, strides=2)(x)
    for i in range(depth):
        x = block(x, int(width), rates[at + i])
    at += depth
x = layers.GlobalAveragePooling2D()(x)
staged = keras.Model(image, layers.Dense(5)(x))

SHAPE = (9, 6, 2)
decoder = keras.Sequential(
    [
        keras.Input((16,)),
        layers.Dense(int(tf.math.reduce_prod(SHAPE))),
        layers.Reshape(SHAPE),
        layers.Dense(int(np.cumsum([3, 4, 5])[-1])),
        layers.Dense(int(np.clip(200, 8, 64))),
    ]
)

widest = keras.Sequential([keras.Input((int(np.max(WIDTHS)),)), layers.Dense(int(np.min(WIDTHS))), layers.Dense(int(np.prod(WIDTHS[:2])))])
bounds = np.arange(1, 4) * 8
stepped = keras.Sequential([keras.Input((10,))] + [layers.Dense(int(n)) for n in bounds.tolist()])


def embedding_of(x, size=16):
    frequencies = ops.exp(ops.linspace(ops.log(1.0), ops.log(1000.0), size // 2))
    angles = ops.cast(2.0 * np.pi * frequencies, "float32")
    return ops.concatenate([ops.sin(angles * x), ops.cos(angles * x)], axis=3)


noise = keras.Input((1, 1, 1))
picture = keras.Input((16, 16, 3))
e = layers.Lambda(embedding_of, output_shape=(1, 1, 16))(noise)
e = layers.UpSampling2D(size=16, interpolation="nearest")(e)
skips = []
x = layers.Concatenate()([layers.Conv2D(8, 1)(picture), e])
for width in (8, 16):
    x = layers.Conv2D(width, 3, padding="same")(x)
    skips.append(x)
    x = layers.AveragePooling2D(2)(x)
for width in (16, 8):
    x = layers.UpSampling2D(2)(x)
    x = layers.Concatenate()([x, skips.pop()])
    x = layers.Conv2D(width, 3, padding="same")(x)
diffusion = keras.Model([picture, noise], layers.Conv2D(3, 1)(x))
