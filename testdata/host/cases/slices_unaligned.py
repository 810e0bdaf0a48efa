import numpy as np
import tensorflow as tf

x = np.ones((30_000, 1001), "float32")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(30_000).batch(100)
for batch in data:
    pass
