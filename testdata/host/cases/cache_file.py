import os
import tempfile

import tensorflow as tf

name = os.path.join(tempfile.mkdtemp(), "cache")
data = tf.data.Dataset.range(300).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).cache(name).batch(60)
for batch in data:
    pass
