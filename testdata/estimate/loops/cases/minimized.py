"""An optimizer of Keras 2 minimizes a function of no arguments over a list of variables."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([layers.Input((256,)), layers.Dense(1024, activation="relu"), layers.Dense(512, activation="relu"), layers.Dense(16)])
optimizer = keras.optimizers.Adam()
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    optimizer.minimize(lambda: loss_fn(y, model(x, training=True)), model.trainable_variables)


data = tf.data.Dataset.from_tensor_slices((np.zeros((1024, 256), "float32"), np.zeros(1024, "int32")))
for x, y in data.batch(128):
    train_step(x, y)
