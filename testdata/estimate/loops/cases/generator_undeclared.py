"""Batches of a loader's own generator, whose shapes the dataset does not declare, beside single noise it batches itself."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class Drawings:
    def __init__(self, batch_size, size):
        self.batch_size, self.size = batch_size, size
        self.seen = 0

    def batches(self):
        while self.seen < 400:
            drawings = np.random.rand(self.batch_size, self.size, self.size, 1)
            self.seen += len(drawings)
            yield drawings, np.random.randint(0, 10, (self.batch_size,))

    def noise(self):
        for _ in range(400):
            yield np.random.normal(size=(self.size, self.size, 1))


loader = Drawings(20, 56)
drawings = tf.data.Dataset.from_generator(loader.batches, output_types=(tf.float32, tf.int32))
noise = tf.data.Dataset.from_generator(
    lambda: loader.noise(), output_signature=tf.TensorSpec(shape=(None, None, 1), dtype=tf.float32)
).batch(20)

classifier = keras.Sequential([
    keras.Input((56, 56, 1)),
    layers.Conv2D(32, 3, activation="relu"),
    layers.MaxPooling2D(),
    layers.Conv2D(64, 3, activation="relu"),
    layers.Flatten(),
    layers.Dense(10),
])
optimizer = keras.optimizers.Adam(1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def step(pictures, labels, disturbance):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, classifier(pictures + 0.1 * disturbance, training=True))
    gradients = tape.gradient(loss, classifier.trainable_variables)
    optimizer.apply_gradients(zip(gradients, classifier.trainable_variables))
    return loss


for (pictures, labels), disturbance in tf.data.Dataset.zip((drawings, noise)):
    step(pictures, labels, disturbance)
