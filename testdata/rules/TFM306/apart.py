import tensorflow as tf

rows = tf.data.Dataset.from_generator(make, tf.float32)
rows = rows.batch(4).prefetch(100).shuffle(100)  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 4; the buffer holds up to 100 batches, and their contents stay the same\. Shuffle first\.$"
model.fit(rows)
commented = (
    tf.data.Dataset.list_files("*.png")
    .map(read)
    .batch(4)  # four at a time
    .shuffle(size)  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\."
)
fused = tf.data.TFRecordDataset(files).apply(tf.data.experimental.map_and_batch(parse, 32)).shuffle(8)  # want "shuffle\(\) comes after map_and_batch\(\), so it shuffles batches, not examples\. The step before is on line 12; the buffer holds up to 8 batches, and their contents stay the same\. Shuffle first\.$"


def batched(ds): return ds.batch(32)


model.fit(batched(tf.data.Dataset.range(100)).shuffle(10))  # want "shuffle\(\) comes after batch\(\), so it shuffles batches, not examples\. The step before is on line 15; the buffer holds up to 10 batches, and their contents stay the same\. Shuffle first\.$"
