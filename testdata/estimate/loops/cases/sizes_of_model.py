"""Batches of a replay buffer whose columns only a run tells: the model's input and the labels of a crossentropy have the model's sizes."""

import os

import numpy as np
import tensorflow as tf
from tensorflow import keras

batch_size = 256
state = keras.Input((64,))
action = keras.Input((8,))
x = keras.layers.Concatenate()([keras.layers.Dense(1024, activation="relu")(state), keras.layers.Dense(512, activation="relu")(action)])
x = keras.layers.Dense(1024, activation="relu")(x)
model = keras.Model([state, action], keras.layers.Dense(1000, activation="softmax")(x))
optimizer = keras.optimizers.Adam()


def sample(columns):
    return tf.constant(np.array(list(os.urandom(batch_size * columns)), dtype="float32").reshape(batch_size, -1))


@tf.function
def train_step(states, actions, classes):
    with tf.GradientTape() as tape:
        scores = model([states, actions], training=True)
        loss = tf.reduce_mean(keras.losses.categorical_crossentropy(classes, scores))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for _ in range(10):
    train_step(sample(64), sample(8), sample(1000))
