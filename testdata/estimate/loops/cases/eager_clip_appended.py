# Clipped gradients are added to a list one by one, under the name of the loop.
import numpy as np
import tensorflow as tf
L = tf.keras.layers
m = tf.keras.Sequential([tf.keras.Input((1024,)), L.Dense(2048, activation="relu"), L.Dense(1024, activation="relu"), L.Dense(10)])
opt = tf.keras.optimizers.Adam(1e-3)

def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(m(x, training=True) - y))
    grads = tape.gradient(loss, m.trainable_variables)
    clipped = []
    for g in grads:
        clipped.append(tf.clip_by_norm(g, 1.0))
    opt.apply_gradients(zip(clipped, m.trainable_variables))
    return loss

x = np.zeros((1024, 1024), "float32")
y = np.zeros((1024, 10), "float32")
ds = tf.data.Dataset.from_tensor_slices((x, y)).batch(64).repeat(2)
for a, b in ds:
    step(a, b)
