"""A residual network of blocks that are models."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


class Block(keras.Model):
    def __init__(self, filters, stride=1):
        super().__init__()
        self.conv1 = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)
        self.bn1 = layers.BatchNormalization()
        self.conv2 = layers.Conv2D(filters, 3, padding="same", use_bias=False)
        self.bn2 = layers.BatchNormalization()
        self.shortcut = layers.Conv2D(filters, 1, strides=stride) if stride > 1 else (lambda x: x)

    def call(self, x, training=False):
        y = tf.nn.relu(self.bn1(self.conv1(x), training=training))
        y = self.bn2(self.conv2(y), training=training)
        return tf.nn.relu(y + self.shortcut(x))


class ResNet(keras.Model):
    def __init__(self, depths, classes=10):
        super().__init__()
        self.stem = keras.Sequential([
            layers.Conv2D(16, 3, padding="same"), layers.BatchNormalization(), layers.Activation("relu"),
        ])
        self.blocks = [self.stage(16 * 2 ** i, n, 1 if i == 0 else 2) for i, n in enumerate(depths)]
        self.pool = layers.GlobalAveragePooling2D()
        self.fc = layers.Dense(classes)

    def stage(self, filters, n, stride):
        stage = keras.Sequential()
        for i in range(n):
            stage.add(Block(filters, stride if i == 0 else 1))
        return stage

    def call(self, x, training=False):
        x = self.stem(x, training=training)
        for stage in self.blocks:
            x = stage(x, training=training)
        return self.fc(self.pool(x))


model = ResNet([2, 2, 2])
model.build((None, 32, 32, 3))

model.compile("adam", "mse")
model.fit(np.zeros((128, 32, 32, 3), "float32"), np.zeros((128, 10), "float32"), batch_size=32)
