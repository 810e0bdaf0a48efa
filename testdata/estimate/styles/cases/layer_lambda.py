"""Lambda layers: slices, means and an l2 norm."""
import keras
import numpy as np
import tensorflow as tf
from keras import layers


inputs = keras.Input((20, 6))
last = layers.Lambda(lambda t: t[:, -1, :])(inputs)
mean = layers.Lambda(lambda t: tf.reduce_mean(t, axis=1))(inputs)
x = layers.Concatenate()([last, mean])
x = layers.Dense(64, activation="relu")(x)
x = layers.Lambda(lambda t: tf.math.l2_normalize(t, axis=-1))(x)
model = keras.Model(inputs, layers.Dense(3)(x))

model.compile("adam", "mse")
model.fit(np.zeros((128, 20, 6), "float32"), np.zeros((128, 3), "float32"), batch_size=32)
