# ram: 4 GiB
# A slice, another shape and a repeated view have no memory of their own; a name that is deleted holds nothing.
import numpy as np
import tensorflow as tf

x = np.ones((300_000, 1000))
train, test = x[:250_000], x[250_000:]
table = x.reshape(1000, 300, 1000).transpose(1, 0, 2)
wide = np.broadcast_to(x, (1000, 300_000, 1000))
del table
later = np.zeros((1_000_000, 1000))
for batch in tf.data.Dataset.range(10).shuffle(10):
    print(batch)
