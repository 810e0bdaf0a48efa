# What the steps of a pipeline make of the elements.
import tensorflow as tf

ds = tf.data.Dataset.range(10)  # dataset: unbatched
a = ds.batch(32)  # dataset: batched
a = ds.batch(32, drop_remainder=True).prefetch(1)  # dataset: batched
a = ds.padded_batch(32)  # dataset: batched
a = ds.ragged_batch(32)  # dataset: batched
a = ds.bucket_by_sequence_length(f, [1], [2])  # dataset: batched
a = ds.window(3)  # dataset: unknown
a = ds.batch(32).unbatch()  # dataset: unbatched
a = ds.batch(32).batch(2)  # dataset: batched
a = ds.shuffle(10).repeat().prefetch(1).cache().take(3).skip(1).shard(2, 0).filter(f).with_options(o)  # dataset: unbatched
a = ds.batch(1).shuffle(10).repeat()  # dataset: batched
a = ds.apply(f)  # dataset: unknown
a = ds.interleave(f)  # dataset: unknown
a = ds.flat_map(f).batch(2)  # dataset: batched
a = ds.concatenate(ds)  # dataset: unbatched
a = ds.enumerate()  # dataset: unbatched
a = ds.as_numpy_iterator()  # dataset: none
a = ds.cardinality()  # dataset: none
a = ds.unheard_of()  # dataset: none
a = ds.batch  # dataset: none
a = (ds.map(tf.io.read_file)  # dataset: batched
     .map(tf.image.decode_jpeg)
     # a comment
     .batch(3))
a = tf.data.Dataset.zip((ds, ds))  # dataset: unbatched
a = tf.data.Dataset.zip((ds.batch(2), ds.batch(2)))  # dataset: batched
a = tf.data.Dataset.zip((ds.batch(2), ds))  # dataset: unknown
a = tf.data.Dataset.zip((  # dataset: unbatched
    ds,  # first
    ds,
))
a = tf.data.Dataset.zip(ds, ds)  # dataset: unbatched
a = tf.data.Dataset.zip({"a": ds})  # dataset: unbatched
a = tf.data.Dataset.zip(({"a": ds, "b": ds}, (ds,)))  # dataset: unbatched
a = tf.data.Dataset.zip({"a": ds, "b": ds.batch(3)})  # dataset: unknown
pair = (ds, ds)
a = tf.data.Dataset.zip(pair)  # dataset: unbatched
a = tf.data.Dataset.zip(datasets=pair, name="z")  # dataset: unbatched
a = tf.data.Dataset.zip(*pair)  # dataset: unknown
a = tf.data.Dataset.zip(datasets)  # dataset: unknown
