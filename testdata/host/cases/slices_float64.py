import numpy as np
import tensorflow as tf

x = np.ones((20_000, 1000))
data = tf.data.Dataset.from_tensor_slices(x).batch(100)
for batch in data:
    pass
