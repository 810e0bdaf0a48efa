import numpy as np
import tensorflow as tf

x, y = np.zeros((4096, 16), "float32"), np.zeros((4096, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Input((16,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64).unbatch().shuffle(4096).batch(32))
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64).rebatch(32))
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(64).batch(4).map(lambda a, b: (tf.reshape(a, (-1, 16)), tf.reshape(b, (-1, 1)))))
model.fit(tf.data.Dataset.from_tensor_slices((x[:, None, :], y)).batch(64).map(lambda a, b: (a[:, 0], b)))
