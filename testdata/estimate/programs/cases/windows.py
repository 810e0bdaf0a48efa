"""Windows of videos, put together again by shapes that name the batch and leave the channels open."""
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def partition(x, size):
    shape = tf.shape(x)
    b, d, h, w, c = shape[0], x.shape[1], x.shape[2], x.shape[3], x.shape[4]
    x = tf.reshape(x, [b, d // size[0], size[0], h // size[1], size[1], w // size[2], size[2], c])
    x = tf.transpose(x, [0, 1, 3, 5, 2, 4, 6, 7])
    return tf.reshape(x, [-1, size[0] * size[1] * size[2], c])


def reverse(windows, size, b, d, h, w):
    x = tf.reshape(windows, [b, d // size[0], h // size[1], w // size[2], size[0], size[1], size[2], -1])
    x = tf.transpose(x, [0, 1, 4, 2, 5, 3, 6, 7])
    return tf.reshape(x, [b, d, h, w, -1])


class Block(layers.Layer):
    def __init__(self, size, heads, **kwargs):
        super().__init__(**kwargs)
        self.size, self.heads = size, heads
        self.norm = layers.LayerNormalization()

    def build(self, input_shape):
        dim = input_shape[-1]
        self.attention = layers.MultiHeadAttention(self.heads, dim // self.heads)
        self.wide, self.narrow = layers.Dense(4 * dim, "gelu"), layers.Dense(dim)

    def call(self, x):
        b, (d, h, w) = tf.shape(x)[0], x.shape[1:4]
        windows = partition(self.norm(x), self.size)
        y = reverse(self.attention(windows, windows), self.size, b, d, h, w)
        x = x + y
        return x + self.narrow(self.wide(x))


x = inputs = keras.Input((4, 16, 16, 3))
x = layers.Conv3D(24, (2, 4, 4), (2, 4, 4))(x)
x = Block((2, 2, 2), 3)(x)
x = Block((1, 4, 4), 3)(x)
video = keras.Model(inputs, layers.Dense(5)(layers.GlobalAveragePooling3D()(x)))
