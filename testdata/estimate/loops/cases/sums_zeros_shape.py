"""A tf.function sums the gradients of a CNN, applies them in a branch, and assigns zeros of the variables' shapes."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

inputs = keras.Input((32, 32, 16))
x = layers.Conv2D(128, 3, padding="same", activation="relu")(inputs)
x = layers.Conv2D(192, 3, strides=2, padding="same", activation="relu")(x)
x = layers.Conv2D(192, 3, padding="same", activation="relu")(x)
x = layers.GlobalMaxPooling2D()(x)
model = keras.Model(inputs, layers.Dense(20)(x))
optimizer = keras.optimizers.SGD(0.01, momentum=0.9)
optimizer.build(model.trainable_variables)
sums = [tf.Variable(tf.zeros(v.shape), trainable=False) for v in model.trainable_variables]
count = tf.Variable(0, trainable=False)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def apply():
    optimizer.apply_gradients(zip(sums, model.trainable_variables))
    for total in sums:
        total.assign(tf.zeros(total.shape))


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    for total, g in zip(sums, tape.gradient(loss, model.trainable_variables)):
        total.assign_add(g / 2.0)
    count.assign_add(1)
    tf.cond(count % 2 == 0, apply, lambda: None)
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((160, 32, 32, 16), "float32"), np.zeros(160, "int32")))
for x, y in data.batch(8):
    train_step(x, y)
