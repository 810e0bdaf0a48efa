import tensorflow as tf

data = tf.data.Dataset.range(800).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).batch(8).shuffle(30)
for batch in data:
    pass
