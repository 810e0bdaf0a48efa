"""Keras casts what it is given; a step of one's own hands NumPy's float64 to operations."""
import numpy as np
import tensorflow as tf

tf.keras.backend.set_floatx("float64")  # want "Keras creates everything from here on in float64, twice the size of float32\."
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(1e-3)


def train(states, advantages):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(states) * tf.stop_gradient(advantages))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))


train(np.zeros((9, 3)), np.ones((9, 1)))
