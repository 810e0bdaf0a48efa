# Keras casts what its layers and losses are given, and so does tf.cast.
import numpy as np
import tensorflow as tf

optimizer = tf.keras.optimizers.Adam()
network = tf.keras.Sequential([tf.keras.layers.Dense(1)])
mse = tf.keras.losses.MeanSquaredError()


def by_keras(x, y):  # want "by_keras runs eagerly"
    with tf.GradientTape() as tape:
        loss = mse(y, network(x, training=True))
    grads = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(grads, network.trainable_variables))


def cast(x, y, rate):  # want "cast runs eagerly"
    y = tf.cast(y, tf.float32)
    with tf.GradientTape() as tape:
        loss = rate * tf.reduce_mean(tf.square(y - network(x)))
    grads = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(grads, network.trainable_variables))


def single(x, y):  # want "single runs eagerly"
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(y - network(x)))
    grads = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(grads, network.trainable_variables))


x = np.random.rand(256, 8)
y = np.zeros((256, 1))
for _ in range(100):
    by_keras(x, y)
    cast(x, y, 0.5)
    single(x.astype(np.float32), np.ones((256, 1), dtype="float32"))
