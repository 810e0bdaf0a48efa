# More than 1 TiB is told without a machine.
import tensorflow as tf

numbers = tf.data.Dataset.range(1_200_000).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32)))
numbers = numbers.cache()  # want "The program takes at least 1\.14 TiB of the machine's own memory\. Machines on which people train have less\. It holds the cache 1\.14 TiB"
for batch in numbers.batch(8):
    print(batch.shape)
