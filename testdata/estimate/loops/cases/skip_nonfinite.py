"""An update that tf.cond leaves out where a gradient is not finite."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential(
    [layers.Input((512,)), layers.Dense(1024, activation="relu"), layers.Dense(512, activation="relu"), layers.Dense(16)]
)
optimizer = keras.optimizers.Adam()
optimizer.build(model.trainable_variables)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    grads = tape.gradient(loss, model.trainable_variables)
    finite = tf.reduce_all([tf.reduce_all(tf.math.is_finite(g)) for g in grads])

    def apply():
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return True

    tf.cond(finite, apply, lambda: False)
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 512), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(64):
    train_step(x, y)
