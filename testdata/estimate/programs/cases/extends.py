"""Layers that extend those of Keras and use what they were made with."""

import keras
import tensorflow as tf
from keras import layers


class StandardizedConvolution(layers.Conv2D):
    """Its own call, on the kernel that Conv2D built."""

    def call(self, inputs):
        mean, variance = tf.nn.moments(self.kernel, axes=[0, 1, 2], keepdims=True)
        out = self.convolution_op(inputs, (self.kernel - mean) / tf.sqrt(variance + 1e-6))
        if self.use_bias:
            out = out + self.bias
        if self.activation is not None:
            out = self.activation(out)
        return out


class Gated(layers.Dense):
    """One more weight beside the two of Dense."""

    def build(self, shape):
        super().build(shape)
        self.gate = self.add_weight(shape=(self.units,), initializer="ones", name="gate")

    def call(self, inputs):
        return super().call(inputs) * tf.sigmoid(self.gate)


convolutional = keras.Sequential(
    [
        keras.Input((28, 28, 1)),
        StandardizedConvolution(16, kernel_size=(3, 3), activation="relu"),
        layers.MaxPooling2D(),
        StandardizedConvolution(8, 3, use_bias=False),
        layers.Flatten(),
        Gated(10),
    ]
)


class Tempered(layers.MultiHeadAttention):
    """One more weight, and no call of its own."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.temperature = keras.Variable(float(self._key_dim) ** 0.5, name="temperature")
        self.extra = keras.Variable(keras.ops.zeros((3, 2)), trainable=False)


words = keras.Input((12, 16))
tempered = keras.Model(words, Tempered(num_heads=2, key_dim=8)(words, words))


class FourierMixing(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.project = layers.Dense(width)

    def call(self, x):
        real, _ = keras.ops.fft2((x, keras.ops.zeros_like(x)))
        return self.project(real + x)


tokens = keras.Input((32, 24))
mixing = keras.Model(tokens, FourierMixing(24)(FourierMixing(24)(tokens)))
