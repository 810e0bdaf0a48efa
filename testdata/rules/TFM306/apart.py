import tensorflow as tf

rows = tf.data.Dataset.from_generator(make, tf.float32)
rows = rows.batch(4).prefetch(100).shuffle(100)  # want "its buffer holds 100 batches"
model.fit(rows)
commented = (
    tf.data.Dataset.list_files("*.png")
    .map(read)
    .batch(4)  # four at a time
    .shuffle(size)  # want "its buffer holds batches, and only"
)
fused = tf.data.TFRecordDataset(files).apply(tf.data.experimental.map_and_batch(parse, 32)).shuffle(8)  # want "after map_and_batch\(\) on line 12: its buffer holds 8 batches"


def batched(ds): return ds.batch(32)


model.fit(batched(tf.data.Dataset.range(100)).shuffle(10))  # want "comes after batch\(\) on line 15"
