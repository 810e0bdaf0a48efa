import tensorflow as tf

data = tf.data.Dataset.range(150).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).cache().map(lambda x: x * 2).cache().batch(2)
for batch in data:
    pass
