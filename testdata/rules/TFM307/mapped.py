# ram: 12 GiB
import numpy as np
import tensorflow as tf

images = np.zeros((50000, 32, 32, 3), np.uint8)
rows = tf.data.Dataset.from_tensor_slices(images).map(lambda x: tf.image.resize(x, (224, 224)))
rows = rows.shuffle(10000)  # want "This shuffle buffer takes 5\.61 GiB of host memory\. It holds 10000 elements of 588 KiB each\. Shuffle before the examples are decoded or batched, or use a smaller buffer\.$"
few = tf.data.Dataset.from_tensor_slices(images[:100]).map(lambda x: tf.image.resize(x, (224, 224))).shuffle(10000)
small = tf.data.Dataset.from_tensor_slices(np.zeros((2000000, 8, 8, 1), np.uint8)).map(lambda x: tf.image.resize(x, (32, 32)))
least = small.shuffle(1048576)  # want "takes 4.00 GiB of host memory. It holds 1048576 elements of 4.00 KiB each. Shuffle"
less = small.shuffle(1048575)
none = small.take(0).shuffle(1048576)
