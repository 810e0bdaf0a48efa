# device: 2 GiB
"""An array of 234 MiB is a ninth of this GPU."""
import numpy as np
import tensorflow as tf

images = np.zeros((20_000, 32, 32, 3), "float32")
rows = np.zeros((10_000, 32, 32, 3), "float32")
with tf.device("/CPU:0"):
    dataset = tf.data.Dataset.from_tensor_slices(images).batch(32)  # want "information: from_tensor_slices\(\) copies its arrays whole to the GPU: 234 MiB\. They stay there"
small = tf.data.Dataset.from_tensor_slices(rows).batch(32)
