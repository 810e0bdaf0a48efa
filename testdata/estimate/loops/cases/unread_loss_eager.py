"""An eager loop computes a loss under its tape of which no gradient is taken."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

model = keras.Sequential([keras.Input((32, 32, 3)), layers.Conv2D(32, 3, padding="same", activation="relu"), layers.Conv2D(32, 3, padding="same", activation="relu"), layers.Flatten(), layers.Dense(10)])
optimizer = keras.optimizers.SGD(0.01)
scored = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
data = tf.data.Dataset.from_tensor_slices((np.zeros((640, 32, 32, 3), "float32"), np.zeros(640, "int32"))).batch(32)
for x, y in data:
    with tf.GradientTape() as tape:
        out = model(x, training=True)
        loss = scored(y, out)
        size = tf.reduce_mean(tf.square(tf.tanh(model(x * 0.5, training=True))))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
