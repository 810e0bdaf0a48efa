# The forward pass reads values, itself or through what it calls: it cannot be compiled.
import numpy as np
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()


def mask_of(scores):
    order = np.argsort(scores, axis=-1)
    return (order < 10).astype("float32")


class Sampler(tf.keras.layers.Layer):
    def call(self, x):
        return x[: int(np.random.randint(1, 8))]


def step(x, y):
    with tf.GradientTape() as tape:
        scores = model(x)
        loss = tf.reduce_mean(tf.square(scores - y) * mask_of(scores))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


sampler = Sampler()
for x, y in dataset:
    step(x, y)

for x, y in dataset:
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(sampler(x)))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
