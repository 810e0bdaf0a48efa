"""Regions cut out of a feature map, for a head that runs on each."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers

REGIONS = 12


class Regions(layers.Layer):
    def __init__(self, side):
        super().__init__()
        self.side = side

    def call(self, inputs):
        features, boxes = inputs
        n = tf.shape(boxes)[0]
        images = tf.repeat(tf.range(n), REGIONS)
        cut = tf.image.crop_and_resize(features, tf.reshape(boxes, (-1, 4)), images, [self.side, self.side])
        return tf.reshape(cut, (-1, REGIONS, self.side, self.side, features.shape[-1]))


images = keras.Input((64, 64, 3))
boxes = keras.Input((REGIONS, 4))
x = layers.Conv2D(16, 3, strides=2, padding="same", activation="relu")(images)
x = layers.Conv2D(32, 3, strides=2, padding="same", activation="relu")(x)
x = Regions(7)([x, boxes])
x = layers.TimeDistributed(layers.Conv2D(24, 3, activation="relu"))(x)
x = layers.TimeDistributed(layers.GlobalAveragePooling2D())(x)
model = keras.Model([images, boxes], layers.Dense(6)(x))

model.compile("adam", "mse")
model.fit([np.zeros((64, 64, 64, 3), "float32"), np.zeros((64, REGIONS, 4), "float32")], np.zeros((64, REGIONS, 6), "float32"), batch_size=8)
