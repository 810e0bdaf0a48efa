"""Two views of each image in one batch, which the step takes apart again by the size of the batch."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

batch = 64
encoder = keras.Sequential([
    layers.Input((32, 32, 3)), layers.Conv2D(32, 3, activation="relu"), layers.Conv2D(64, 3, strides=2, activation="relu"),
    layers.Flatten(), layers.Dense(2048),
])
optimizer = keras.optimizers.Adam(1e-3)


@tf.function
def train_step(images, labels):
    n = tf.shape(labels)[0]
    with tf.GradientTape() as tape:
        both = encoder(tf.concat([images, tf.image.flip_left_right(images)], axis=0), training=True)
        first, second = both[:n], both[tf.shape(images)[0]:]
        first = tf.math.l2_normalize(first, axis=1)
        second = tf.math.l2_normalize(second, axis=1)
        logits = tf.matmul(first, second, transpose_b=True)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(tf.range(n), logits))
    gradients = tape.gradient(loss, encoder.trainable_variables)
    optimizer.apply_gradients(zip(gradients, encoder.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((512, 32, 32, 3), "float32"), np.zeros(512, "int32")))
for images, labels in data.batch(batch, drop_remainder=True):
    train_step(images, labels)
