# device: 8 GiB
# What the discriminator is made of is not known: neither is the step.
import numpy as np
import tensorflow as tf
from networks import discriminator

BATCH_SIZE = 4096

generator = tf.keras.applications.ResNet50(weights=None, classes=5)
optimizer = tf.keras.optimizers.Adam(1e-4)
images = np.zeros((512, 224, 224, 3), "float32")
dataset = tf.data.Dataset.from_tensor_slices(images).batch(BATCH_SIZE)


@tf.function
def train_step(x):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(discriminator(generator(x, training=True)))
    gradients = tape.gradient(loss, generator.trainable_variables)
    optimizer.apply_gradients(zip(gradients, generator.trainable_variables))


for x in dataset:
    train_step(x)
