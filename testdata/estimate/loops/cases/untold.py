"""A student that is told that it trains, of a teacher that is not: that neither drops out nor normalizes by its batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Block(layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.conv = layers.Conv2D(width, 3, padding="same")
        self.norm = layers.BatchNormalization()
        self.drop = layers.Dropout(0.2)

    def call(self, x, training=None):
        return self.drop(tf.nn.relu(self.norm(self.conv(x), training=training)), training=training)


def network(width):
    return keras.Sequential(
        [layers.Input((32, 32, 3)), Block(width), layers.MaxPooling2D(), Block(2 * width), layers.GlobalAveragePooling2D(), layers.Dense(10)]
    )


untold, student = network(32), network(16)
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
variables = untold.trainable_variables + student.trainable_variables


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = untold(x)
        loss = loss_fn(y, logits) + tf.reduce_mean(tf.square(logits - student(x, training=True)))
    gradients = tape.gradient(loss, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 32, 32, 3), "float32"), np.zeros(512, "int32")))
for x, y in data.batch(64):
    train_step(x, y)
