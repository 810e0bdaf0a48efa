import numpy as np
import tensorflow as tf
import keras
from keras import layers

BATCH = 64
discriminator = keras.Sequential([
    keras.Input((28, 28, 1)),
    layers.Conv2D(64, 5, strides=2, padding="same"),
    layers.LeakyReLU(),
    layers.Dropout(0.3),
    layers.Conv2D(128, 5, strides=2, padding="same"),
    layers.BatchNormalization(),
    layers.LeakyReLU(),
    layers.Dropout(0.3),
    layers.Flatten(),
    layers.Dense(1),
])
optimizer = keras.optimizers.Adam(1e-4)
bce = keras.losses.BinaryCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices(np.zeros((BATCH * 10, 28, 28, 1), "float32")).batch(BATCH)
for images in data:
    with tf.GradientTape() as tape:
        scores = discriminator(images, training=True)
        loss = bce(tf.ones_like(scores), scores)
    gradients = tape.gradient(loss, discriminator.trainable_variables)
    optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
