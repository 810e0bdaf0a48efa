import numpy as np
import tensorflow.compat.v2 as tf2

if True:
    with tf2.device('/CPU:0'):
        data = tf2.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000)))  # want "1.49 GiB"
    if data: other = tf2.data.Dataset.from_tensor_slices(np.zeros((100, 1000, 2000)))  # want "1.49 GiB"
names = ['a', 'b', 'c']
