import tensorflow as tf

data = tf.data.Dataset.range(300).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).batch(10).cache()
for batch in data:
    pass
