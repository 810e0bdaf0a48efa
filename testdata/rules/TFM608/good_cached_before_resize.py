# ram: 12 GiB
import numpy as np
import tensorflow as tf

photos = np.ones((20000, 64, 64, 3), "uint8")
train = tf.data.Dataset.from_tensor_slices(photos).cache()
train = train.map(lambda photo: tf.image.resize(photo, (256, 256)))
on_disk = tf.data.Dataset.from_tensor_slices(photos).map(lambda photo: tf.image.resize(photo, (256, 256))).cache("photos")
for batch in train.batch(32):
    print(batch.shape)
for batch in on_disk.batch(32):
    print(batch.shape)
