"""Adds up the gradients of several iterations and applies them after the loop, in each step."""
import numpy as np
import tensorflow as tf


def train_step(model, images, labels, size):
    variables = model.trainable_variables
    sums = [tf.zeros_like(v) for v in variables]
    total = 0.0
    for start in range(0, images.shape[0], size):
        with tf.GradientTape() as tape:  # want "This training step runs eagerly in every iteration of the loop on line 10\."
            predictions = model(images[start:start + size], training=True)
            loss = tf.keras.losses.categorical_crossentropy(labels[start:start + size], predictions)
        total += loss.numpy().mean()
        gradients = tape.gradient(loss, variables)
        sums = [a + g for a, g in zip(sums, gradients)]
    model.optimizer.apply_gradients(zip(sums, variables))
    return total


def train_mean(model, images, labels, size=4, losses=tf.keras.losses.categorical_crossentropy):  # nothing calls it here
    variables = model.trainable_variables
    sums = [tf.zeros_like(v) for v in variables]
    parts = images.shape[0] // size
    for i in range(parts):
        with tf.GradientTape() as tape:  # want "This training step runs eagerly in every iteration of the loop on line 25\."
            loss = losses(labels[i * size:(i + 1) * size], model(images[i * size:(i + 1) * size], training=True))
        sums = [a + g for a, g in zip(sums, tape.gradient(loss, variables))]
    means = [s / parts for s in sums]
    model.optimizer.apply_gradients(zip(means, variables))


def evaluate_then_update(model, optimizer, batches, losses):
    for batch in batches:
        with tf.GradientTape() as tape:  # its gradients are only looked at
            loss = losses(model(batch))
        print(tf.linalg.global_norm(tape.gradient(loss, model.trainable_variables)))
    optimizer.apply_gradients(zip(stored_gradients(), model.trainable_variables))


images, labels = np.ones((4096, 28, 28, 1), "float32"), np.ones((4096, 10), "float32")
network = tf.keras.Sequential([tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
network.compile(tf.keras.optimizers.Adam(1e-4), "categorical_crossentropy")
for epoch in range(1000):
    for i in range(0, 4096, 256):
        train_step(network, images[i:i + 256], labels[i:i + 256], 64)
    evaluate_then_update(network, network.optimizer, read(), tf.reduce_mean)
