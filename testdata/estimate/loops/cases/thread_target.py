"""A thread that runs the program's own function with positional and named arguments."""

import threading

import numpy as np
import tensorflow as tf
from tensorflow import keras

model = keras.Sequential([keras.Input((28, 28, 1)), keras.layers.Conv2D(32, 3, activation="relu"), keras.layers.Flatten(), keras.layers.Dense(10)])
optimizer = keras.optimizers.SGD(0.01)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        loss = loss_fn(y, model(x, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


def train(data, epochs):
    for _ in range(epochs):
        for x, y in data:
            train_step(x, y)


data = tf.data.Dataset.from_tensor_slices((np.zeros((640, 28, 28, 1), "float32"), np.zeros(640, "int64"))).batch(64)
thread = threading.Thread(target=train, args=(data,), kwargs={"epochs": 2})
thread.start()
thread.join()
