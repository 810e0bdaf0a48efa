# It only imports and assigns: others import what it names.
import numpy as np
import tensorflow as tf  # role: library, it only imports and assigns

np.seterr(all="raise")
EPSILON = tf.constant(1e-7)
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
