import tensorflow as tf

data = tf.data.Dataset.range(1000).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).shuffle(200).batch(2)
for batch in data:
    pass
