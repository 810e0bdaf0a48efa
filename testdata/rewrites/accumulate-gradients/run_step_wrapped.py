"""The function is compiled where it is given a name, and gets its model from the caller."""
import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(10)
dataset = tf.data.Dataset.from_tensor_slices(np.random.normal(size=(50, 5)).astype("float32")).batch(16)
autoencoder = keras.Sequential([keras.Input((5,)), keras.layers.Dense(3, activation="tanh"), keras.layers.Dense(5)])
optimizer = keras.optimizers.SGD(0.1)


def train(model, rows):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(rows - model(rows, training=True)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


step = tf.function(train)
for epoch in range(2):
    for x in dataset:  # <- here
        loss = step(autoencoder, x)
    print(float(loss))
model = autoencoder
