import tensorflow as tf

data = tf.data.Dataset.range(300).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).cache().shuffle(300).batch(4)
for batch in data:
    pass
