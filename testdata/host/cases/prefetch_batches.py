import tensorflow as tf

data = tf.data.Dataset.range(640).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).batch(16).prefetch(16)
for batch in data:
    tf.reduce_sum(tf.sort(batch[:4]))
