import numpy as np
import tensorflow as tf

x = np.ones((60_000, 1024), "float32")
data = tf.data.Dataset.from_tensor_slices(x).shuffle(60_000).batch(100)
for batch in data:
    pass
