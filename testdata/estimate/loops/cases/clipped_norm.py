"""A loop that nothing compiles, in which one name stands for the gradients and then for what they are clipped to."""
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

network = keras.Sequential([
    keras.Input((300,)),
    layers.Dense(900, activation="relu"),
    layers.Dense(60),
    layers.Dense(900, activation="relu"),
    layers.Dense(300),
])
optimizer = keras.optimizers.Adam(1e-3)
signals = np.zeros((1280, 300), "float32")
data = tf.data.Dataset.from_tensor_slices(signals).batch(80)

for x in data:
    with tf.GradientTape() as tape:
        restored = network(x)
        loss = tf.reduce_mean(tf.square(restored - x))
    gradients = tape.gradient(loss, network.trainable_variables)
    gradients, norm = tf.clip_by_global_norm(gradients, 5.0)
    optimizer.apply_gradients(zip(gradients, network.trainable_variables))
