"""A loop that nothing compiles, over a network of blocks in a Sequential, none of which hears of training."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Unit(keras.Model):
    def __init__(self, filters, **options):
        super().__init__(**options)
        self.stem = keras.Sequential([
            layers.Conv2D(filters, 3, strides=2, padding="same"),
            layers.BatchNormalization(),
            layers.ReLU(),
        ])

    def call(self, x, training=None):
        return self.stem(x, training=training)


class Pair(keras.Model):
    def __init__(self, filters, **options):
        super().__init__(**options)
        self.left = Unit(filters)
        self.right = Unit(filters)

    def call(self, x, training=None):
        return tf.concat([self.left(x, training=training), self.right(x, training=training)], axis=-1)


class Network(keras.Model):
    def __init__(self, classes, **options):
        super().__init__(**options)
        self.entry = Unit(16)
        self.pairs = keras.Sequential(name="pairs")
        for filters in (24, 40):
            self.pairs.add(Pair(filters))
        self.pool = layers.GlobalAveragePooling2D()
        self.head = layers.Dense(classes)

    def call(self, x, training=None):
        x = self.entry(x, training=training)
        x = self.pairs(x, training=training)
        return self.head(self.pool(x))


network = Network(7)
optimizer = keras.optimizers.Adam(1e-3)
loss_of = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
pictures = np.zeros((512, 64, 64, 3), "float32")
labels = np.zeros((512,), "int32")
data = tf.data.Dataset.from_tensor_slices((pictures, labels)).batch(32)

for x, y in data:
    with tf.GradientTape() as tape:
        scores = network(x)
        loss = loss_of(y, scores)
    gradients = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
