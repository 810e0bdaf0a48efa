import tensorflow as tf

data = tf.data.Dataset.range(1000).map(lambda i: tf.fill([256, 256, 3], tf.cast(i, tf.uint8)))
data = data.cache().map(lambda image: tf.cast(image, tf.float32)).batch(4)
for batch in data:
    pass
