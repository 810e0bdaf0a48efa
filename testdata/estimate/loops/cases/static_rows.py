"""A model of the program's own that flattens by out.shape[0], in a compiled step."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = keras.layers.Conv2D(32, 3, padding="same", activation="relu")
        self.pool = keras.layers.AveragePooling2D(4)
        self.dense = keras.layers.Dense(256, activation="relu")
        self.head = keras.layers.Dense(10, activation="softmax")

    def call(self, x, training=False):
        out = self.pool(self.conv(x))
        out = tf.reshape(out, (out.shape[0], -1))
        return self.head(self.dense(out))


model = Net()
optimizer = keras.optimizers.Adam(1e-4)
loss_fn = keras.losses.SparseCategoricalCrossentropy()


@tf.function
def train_step(images, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((640, 32, 32, 3), "float32"), np.zeros(640, "int64"))).batch(64)
for images, labels in data:
    train_step(images, labels)
