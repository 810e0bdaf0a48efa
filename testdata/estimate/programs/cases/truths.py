"""Objects that count as true, and functions that return them."""

import keras
import tensorflow as tf
from keras import layers


def stage(x, width, activation, normalize=False, dropout=0.0, shortcut=None):
    y = layers.Conv2D(width, 3, padding="same", use_bias=not normalize)(x)
    if normalize:
        y = layers.BatchNormalization()(y)
    if activation:
        y = activation(y)
    if dropout:
        y = layers.Dropout(dropout)(y)
    if shortcut:
        y = layers.add([y, shortcut(x)])
    return y


def residual(x, width):
    y = layers.Conv2D(width, 3, padding="same")(x)
    if tf.math.equal(x.shape[-1], width):
        y = layers.Add()([x, y])
    return y


image = keras.Input((32, 32, 3))
x = stage(image, 16, layers.LeakyReLU())
x = stage(x, 24, layers.PReLU(shared_axes=[1, 2]), normalize=True, shortcut=layers.Conv2D(24, 1))
x = residual(residual(x, 24), 12)
x = stage(x, 8, None, dropout=0.3)
model = keras.Model(image, x)


class Codebook(layers.Layer):
    """Its table is a variable that an initializer filled."""

    def __init__(self, entries, width):
        super().__init__()
        self.entries, self.width = entries, width
        initial = keras.initializers.RandomUniform()
        self.table = keras.Variable(initial(shape=(width, entries), dtype="float32"), name="table")

    def call(self, x):
        flat = tf.reshape(x, (-1, self.width))
        nearest = tf.argmax(tf.matmul(flat, self.table), axis=1)
        taken = tf.matmul(tf.one_hot(nearest, self.entries), self.table, transpose_b=True)
        return tf.reshape(taken, tf.shape(x))


quantized = keras.Sequential([keras.Input((8, 8, 4)), layers.Conv2D(6, 3), Codebook(32, 6), layers.Conv2DTranspose(3, 3)])
