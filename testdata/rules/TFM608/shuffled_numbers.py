# ram: 12 GiB
# The tensors around the numbers take more than the numbers.
import numpy as np
import tensorflow as tf

numbers = tf.data.Dataset.from_tensor_slices(np.arange(80_000_000))
for rows in numbers.shuffle(80_000_000).batch(8192):  # want "It holds the buffer of shuffle\(\) 14\.9 GiB"
    print(tf.reduce_max(rows))
