# ram: 16 GiB
# A buffer of all decoded examples (tensorflow/tensorflow#42586).
import tensorflow as tf

numbers = tf.data.Dataset.range(14_000).map(lambda i: tf.fill([512, 512, 3], tf.cast(i, tf.float32)))
numbers = numbers.shuffle(14_000).batch(8)  # want "The program takes at least 41\.1 GiB of the machine's own memory\. The machine has 16\.0 GiB \(named by the case\)\. It holds the buffer of shuffle\(\) 41\.0 GiB\. Shuffle before the examples are decoded or batched, or use a smaller buffer\.$"
for epoch in range(10):
    for batch in numbers:
        print(batch.shape)
