# ram: 11 GiB
# TensorFlow 1 feeds batches from the array, and copies none of it.
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
data = np.ones((6_000_000, 256))  # want "takes at least 11\.4 GiB of"
model = tf.keras.Sequential([tf.keras.layers.Dense(256, input_shape=(256,))])
model.compile("adam", "mse")
model.fit(data, data, batch_size=1024)
