"""A layers.Wrapper subclass (weight standardisation by scaling) around convolutions, CIFAR-like."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
import numpy as np


class ScaleOut(layers.Wrapper):
    def __init__(self, layer, init=1.0, **kwargs):
        super().__init__(layer, **kwargs)
        self.init = init

    def build(self, input_shape):
        if not self.layer.built:
            self.layer.build(input_shape)
        self.g = self.add_weight(name="g", shape=(self.layer.filters,), initializer=keras.initializers.Constant(self.init),
                                 trainable=True)
        self.built = True

    def call(self, inputs):
        return self.layer(inputs) * self.g


class GLU(layers.Layer):
    def call(self, x):
        a, b = tf.split(x, 2, axis=-1)
        return a * tf.sigmoid(b)


def stage(x, f, n):
    for i in range(n):
        y = ScaleOut(layers.Conv2D(2 * f, 3, padding="same"), name=None)(x)
        y = GLU()(y)
        if x.shape[-1] == f:
            y = (y + x) * np.sqrt(0.5)
        x = y
    return layers.AveragePooling2D(2)(x)


inputs = layers.Input((40, 40, 3))
x = inputs
for f, n in zip((32, 64, 128), (2, 2, 1)):
    x = stage(x, f, n)
x = layers.Flatten()(x)
x = layers.Dense(128, activation="relu", kernel_regularizer="l2")(x)
outputs = layers.Dense(10)(x)
model = keras.Model(inputs, outputs)
model.compile(keras.optimizers.Adadelta(1.0), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(np.random.rand(160, 40, 40, 3).astype(np.float32), np.random.randint(0, 10, 160), batch_size=32)
