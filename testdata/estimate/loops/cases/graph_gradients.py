"""tf.gradients in a function that tf.function compiles: no tape is there."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((256,)), layers.Dense(1024, activation="relu"), layers.Dense(512, activation="relu"), layers.Dense(16)])
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    loss = loss_fn(y, model(x, training=True))
    gradients = tf.gradients(loss, [v.value if hasattr(v, "constraint") and not callable(v.value) else v for v in model.trainable_variables])
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 256), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(128):
    train_step(x, y)
