# ram: 12 GiB
# The elements that a cache holds are those after the map before it (tensorflow/tensorflow#27128, larq/zoo#258).
import numpy as np
import tensorflow as tf

photos = np.ones((20000, 64, 64, 3), "uint8")
train = tf.data.Dataset.from_tensor_slices(photos)
train = train.map(lambda photo: tf.image.resize(photo, (256, 256)))
train = train.cache("train.cache")  # want "warning: The program takes at least 15\.2 GiB of the machine's own memory\. The machine has 12\.0 GiB \(named by the case\)\. It holds the cache 14\.7 GiB, .*\. Cache to a file, cache\(filename\), or before the step that makes the elements larger\.$"
for batch in train.shuffle(1000).batch(32).prefetch(tf.data.AUTOTUNE):
    print(batch.shape)
