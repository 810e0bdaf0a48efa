"""A vision transformer's patches: tf.image.extract_patches and a class token."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Patches(layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, images):
        patches = tf.image.extract_patches(images, sizes=[1, self.size, self.size, 1], strides=[1, self.size, self.size, 1],
                                           rates=[1, 1, 1, 1], padding="VALID")
        return tf.reshape(patches, [tf.shape(images)[0], patches.shape[1] * patches.shape[2], patches.shape[-1]])


class ClassToken(layers.Layer):
    def build(self, input_shape):
        self.token = self.add_weight(shape=(1, 1, input_shape[-1]), initializer="zeros")

    def call(self, x):
        token = tf.broadcast_to(self.token, [tf.shape(x)[0], 1, x.shape[-1]])
        return tf.concat([token, x], axis=1)


images = keras.Input((32, 32, 3))
x = layers.Dense(48)(Patches(8)(images))
x = ClassToken()(x)
x = layers.LayerNormalization()(x)
x = layers.Dense(96, activation="relu")(x)
x = layers.Lambda(lambda t: t[:, 0])(x)
model = keras.Model(images, layers.Dense(10)(x))

model.compile("adam", "mse")
model.fit(np.zeros((64, 32, 32, 3), "float32"), np.zeros((64, 10), "float32"), batch_size=16)
