import tensorflow as tf

rows = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(1000).batch(32)  # want "information: shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 3; the buffer holds up to 1000 batches, and their contents stay the same\. Shuffle first\.$"
model.fit(rows, epochs=3)
words = (
    tf.data.TextLineDataset("words.txt")
    .shuffle(100, seed=1)
    .repeat()  # want "shuffle\(\) comes after repeat\(\), so it mixes one epoch with the next\. repeat\(\) is on line 7; some examples are seen twice before others are seen once\. Shuffle first\.$"
    .batch(8)
)
model.fit(words, steps_per_epoch=100)
few = tf.data.TFRecordDataset(files).map(parse).take(100).cache().repeat()  # want "take\(\) comes after cache\(\), so the cache is discarded in every epoch\. cache\(\) is on line 12, and the dataset is never read to its end\. Cache the result of take\(\)\.$"
model.fit(tf.data.Dataset.range(10).take(3).cache().batch(1), epochs=10)  # want "take\(\) comes after cache\(\), so the cache is discarded in every epoch\. cache\(\) is on line 13, and the dataset is never read to its end\. Cache the result of take\(\)\.$"
