import numpy as np
import tensorflow as tf

# The examples themselves have a dimension too many, which is another mistake.
x, y = np.zeros((4096, 4, 16), "float32"), np.zeros((4096, 4, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64))
anything = tf.keras.Sequential([tf.keras.layers.Dense(1)])
anything.compile("adam", "mse")
anything.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64).batch(2))
