# devices: 2
"""What the layers are made of comes under the scope too."""
import numpy as np
import tensorflow as tf
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(1)
x = np.random.normal(size=(64, 8)).astype("float32")
y = np.random.normal(size=(64, 1)).astype("float32")

strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    error = tf.keras.metrics.MeanAbsoluteError()
    inputs = tf.keras.Input((8,))
    hidden = layers.Dense(16, activation="relu")(inputs)
    outputs = layers.Dense(1)(hidden)

    # Compiled with an optimizer of its own.
    model = tf.keras.Model(inputs, outputs)
    optimizer = tf.keras.optimizers.Adam(1e-2)

    model.compile(optimizer=optimizer, loss="mse", metrics=[error])
model.fit(x, y, batch_size=16, epochs=2, shuffle=False, verbose=0)  # <- here
