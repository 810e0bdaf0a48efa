import sys

try:
    import tensorflow.compat.v2 as tf
except ImportError:
    import tensorflow as tf

import numpy as np

EPOCHS = 2
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit(np.zeros((8, 4)), np.zeros((8, 1)), epochs=EPOCHS)
