"""A step that is given batches which the loop has mixed: pictures computed of the dataset's."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

BATCH_SIZE = 24


class ConvBlock(keras.Model):
    def __init__(self, filters):
        super().__init__()
        self.conv1 = keras.layers.Conv2D(filters, 3, use_bias=False)
        self.conv2 = keras.layers.Conv2D(filters, 3, use_bias=False)
        self.bn1 = keras.layers.BatchNormalization()
        self.bn2 = keras.layers.BatchNormalization()
        self.pool = keras.layers.AveragePooling2D(2)

    def call(self, x, training=True):
        x = tf.nn.relu(self.bn1(self.conv1(x), training=training))
        x = tf.nn.relu(self.bn2(self.conv2(x), training=training))
        return self.pool(x)


class Classifier(keras.Model):
    def __init__(self):
        super().__init__()
        self.blocks = [ConvBlock(n) for n in (24, 48)]
        self.head = keras.layers.Dense(10, activation="softmax")

    def call(self, x, training=True):
        for block in self.blocks:
            x = block(x, training=training)
        return self.head(tf.reduce_mean(x, axis=[1, 2]))


@tf.function
def mix(images, labels):
    share = np.random.beta(0.4, 0.4)
    order = np.random.permutation(range(images.shape[0]))
    return share * images + (1 - share) * tf.gather(images, order), tf.gather(labels, order), share


model = Classifier()
criterion = keras.losses.SparseCategoricalCrossentropy()
optimizer = keras.optimizers.Adam(1e-3)


@tf.function
def train_step(images, labels, others, share):
    with tf.GradientTape() as tape:
        scores = model(images, training=True)
        loss = share * criterion(labels, scores) + (1 - share) * criterion(others, scores)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


pictures = np.random.random((480, 40, 40, 3)).astype("float32")
classes = np.random.randint(0, 10, (480,))
for images, labels in tf.data.Dataset.from_tensor_slices((pictures, classes)).batch(BATCH_SIZE, drop_remainder=True):
    mixed, others, share = mix(images, labels)
    train_step(mixed, labels, others, share)
