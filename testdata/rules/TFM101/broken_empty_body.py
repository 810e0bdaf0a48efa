try:
except ImportError:
    import tensorflow as tf

import numpy as np

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.fit(np.zeros((8, 4)), np.zeros((8, 1)))
