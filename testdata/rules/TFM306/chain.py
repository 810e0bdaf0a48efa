import tensorflow as tf

rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).shuffle(1000)  # want "information: shuffle\(\) comes after batch\(\) on line 3: its buffer holds 1000 batches, and only their order changes, not what is in them\."
model.fit(rows, epochs=3)
words = (
    tf.data.TextLineDataset("words.txt")
    .repeat()
    .shuffle(100, seed=1)  # want "shuffle\(\) comes after repeat\(\) on line 7: its buffer mixes one pass over the data with the next"
    .batch(8)
)
model.fit(words, steps_per_epoch=100)
few = tf.data.TFRecordDataset(files).map(parse).cache().take(100).repeat()  # want "take\(\) comes after cache\(\) on line 12, which is thrown away in every pass"
model.fit(tf.data.Dataset.range(10).cache().take(3).batch(1), epochs=10)  # want "take\(\) comes after cache\(\) on line 13"
