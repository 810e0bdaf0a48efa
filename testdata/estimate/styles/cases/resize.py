"""tf.image.resize in a layer: a feature pyramid."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Upsample(layers.Layer):
    def call(self, x, like):
        return tf.image.resize(x, tf.shape(like)[1:3], method="bilinear")


class Pyramid(keras.Model):
    def __init__(self, width=16):
        super().__init__()
        self.down = [layers.Conv2D(width, 3, strides=2, padding="same", activation="relu") for _ in range(3)]
        self.lateral = [layers.Conv2D(width, 1) for _ in range(3)]
        self.up = Upsample()
        self.head = layers.Conv2D(1, 1)

    def call(self, x):
        maps = []
        for conv in self.down:
            x = conv(x)
            maps.append(x)
        y = self.lateral[-1](maps[-1])
        for lateral, m in zip(self.lateral[1::-1], maps[1::-1]):
            y = lateral(m) + self.up(y, m)
        return self.head(y)


model = Pyramid()

model.compile("adam", "mse")
model.fit(np.zeros((32, 64, 64, 3), "float32"), np.zeros((32, 32, 32, 1), "float32"), batch_size=8)
