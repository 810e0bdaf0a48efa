# ram: 1 GiB
import tensorflow as tf

numbers = tf.data.Dataset.range(2000).map(lambda i: tf.fill([512, 512], tf.cast(i, tf.float32))).shuffle(2)
kept = [number for number in numbers]  # want "The program takes at least 1\.95 GiB of the machine's own memory\. The machine has 1\.00 GiB \(named by the case\)\. It holds a list of arrays 1\.95 GiB"
