"""Pictures that are brightened one by one with tf.map_fn before the model sees them."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential(
    [
        layers.Input((64, 64, 3)),
        layers.Conv2D(32, 3, strides=2, padding="same", activation="relu"),
        layers.Conv2D(64, 3, strides=2, padding="same", activation="relu"),
        layers.GlobalAveragePooling2D(),
        layers.Dense(10),
    ]
)
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def brighten(image):
    return image * tf.random.uniform([], 0.8, 1.2)


@tf.function
def train_step(images, labels):
    images = tf.map_fn(brighten, images)
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(images, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((256, 64, 64, 3), "float32"), np.zeros(256, "int32")))
for images, labels in data.batch(32):
    train_step(images, labels)
