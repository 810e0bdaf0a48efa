# ram: 16 GiB
# TFM608 tells of the whole: the buffer is full, and more than the machine has.
import numpy as np
import tensorflow as tf

images = np.ones((50000, 32, 32, 3), np.uint8)
rows = tf.data.Dataset.from_tensor_slices(images).map(lambda x: tf.image.resize(x, (224, 224)))
rows = rows.shuffle(50000).batch(8)
for row in rows:
    print(row.shape)
