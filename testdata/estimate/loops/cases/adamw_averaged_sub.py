"""A compiled step trains with AdamW, and moves an average of the weights by assign_sub."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def net():
    return keras.Sequential([keras.Input((768,)), layers.Dense(1536, activation="gelu"), layers.Dense(1536, activation="gelu"), layers.Dense(10)])


model, average = net(), net()
average.set_weights(model.get_weights())
optimizer = keras.optimizers.AdamW(1e-3)
optimizer.build(model.trainable_variables)
scored = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = scored(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    for a, w in zip(average.trainable_variables, model.trainable_variables):
        a.assign_sub(0.01 * (a - w))
    return loss


for x, y in tf.data.Dataset.from_tensor_slices((np.zeros((2560, 768), "float32"), np.zeros(2560, "int32"))).batch(256):
    train_step(x, y)
