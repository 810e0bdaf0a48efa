# Steps whose function makes datasets, or is handed one.
import functools

import tensorflow as tf
from tensorflow.data import experimental as tfx

ds = tf.data.Dataset.list_files("*.tfrecord")


def read(path):
    return tf.data.TFRecordDataset(path)


def read_batches(path, size=32):
    records = tf.data.TFRecordDataset(path)
    return records.batch(size)


def either(path):
    if path:
        return tf.data.TFRecordDataset(path).batch(2)
    return tf.data.TFRecordDataset(path)


def finish(ds):
    ds = ds.shuffle(10)
    return ds.batch(32)


class Reader:
    def read(self, path):
        return tf.data.TextLineDataset(path).batch(2)

    def all(self):
        model.fit(ds.interleave(self.read))  # dataset: batched


a = ds.interleave(tf.data.TFRecordDataset)  # dataset: unbatched
a = ds.interleave(lambda f: tf.data.TFRecordDataset(f), cycle_length=4)  # dataset: unbatched
a = ds.interleave(read)  # dataset: unbatched
a = ds.interleave(map_func=read_batches)  # dataset: batched
a = ds.interleave(either)  # dataset: unknown
a = ds.interleave(elsewhere)  # dataset: unknown
a = ds.interleave(tf.data.Dataset.from_tensor_slices)  # dataset: unbatched
a = ds.flat_map(lambda f: tf.data.TFRecordDataset(f).batch(8))  # dataset: batched
a = ds.flat_map(lambda f: tf.data.Dataset.zip((read(f), read(f))))  # dataset: unbatched
a = ds.batch(2).flat_map(read)  # dataset: unbatched
a = ds.flat_map(read_batches).unbatch()  # dataset: unbatched
a = ds.apply(tf.data.experimental.parallel_interleave(read, cycle_length=2))  # dataset: unbatched
a = ds.apply(tfx.map_and_batch(lambda x: x, batch_size=3))  # dataset: batched
a = ds.apply(tfx.map_and_batch(map_func=read, batch_size=3)).prefetch(1)  # dataset: batched
a = ds.apply(tfx.dense_to_ragged_batch(3))  # dataset: batched
a = ds.batch(3).apply(tfx.unbatch())  # dataset: unbatched
a = ds.apply(tfx.shuffle_and_repeat(100))  # dataset: unbatched
a = ds.apply(tfx.ignore_errors())  # dataset: unbatched
a = ds.apply(tfx.assert_cardinality(100)).batch(2)  # dataset: batched
a = ds.apply(tfx.unheard_of(100))  # dataset: unknown
a = ds.apply(tf.contrib.data.map_and_batch(read, 3))  # dataset: batched
step = tfx.dense_to_ragged_batch(3)
a = ds.apply(step)  # dataset: batched
a = ds.apply(finish)  # dataset: batched
a = ds.apply(lambda d: d.shuffle(10))  # dataset: unbatched
a = ds.apply(functools.partial(elsewhere, 3))  # dataset: unknown
a = ds.apply(elsewhere).batch(2)  # dataset: batched
a = ds.apply()  # dataset: unknown
a = ds.scan(0, lambda state, x: (state, x))  # dataset: unbatched
a = ds.scan(initial_state=0, scan_func=lambda state, x: (state, x[None]))  # dataset: unknown
a = ds.group_by_window(lambda x: x, lambda key, group: group.batch(4), window_size=4)  # dataset: batched
a = ds.group_by_window(key_func=f, reduce_func=lambda key, group: group, window_size=4)  # dataset: unbatched
a = ds.group_by_window(f, elsewhere, 4)  # dataset: unknown
a = ds.apply(tfx.group_by_window(f, lambda key, group: group.padded_batch(4, [None]), 4))  # dataset: batched
a = ds.window(5, shift=1)  # dataset: unknown
a = ds.window(5).flat_map(lambda w: w)  # dataset: unbatched
a = ds.window(5).flat_map(lambda w: w.batch(5))  # dataset: unknown
a = ds.window(5).flat_map(lambda w: w.batch(5)).batch(2)  # dataset: batched
a = ds.window(5).flat_map(lambda x, y: tf.data.Dataset.zip((x.batch(5), y.batch(5))))  # dataset: unknown
a = ds.window(5).batch(2)  # dataset: unknown
a = ds.window(5).map(lambda w: w)  # dataset: unknown
a = ds.concatenate(ds.batch(2))  # dataset: unknown
a = ds.batch(3).concatenate(ds.batch(2))  # dataset: batched
a = ds.concatenate(elsewhere())  # dataset: unknown
a = tf.data.Dataset.sample_from_datasets([ds, ds.shuffle(3)], weights=[0.5, 0.5])  # dataset: unbatched
a = tf.data.experimental.sample_from_datasets([ds.batch(2), ds.batch(2)])  # dataset: batched
a = tf.data.Dataset.sample_from_datasets(many)  # dataset: unknown
a = tf.data.Dataset.sample_from_datasets([read(f) for f in files])  # dataset: unknown
a = tf.data.Dataset.choose_from_datasets([ds, ds.batch(2)], tf.data.Dataset.range(2))  # dataset: unknown
a = tf.data.experimental.choose_from_datasets((ds.batch(2), ds.batch(2)), tf.data.Dataset.range(2))  # dataset: batched
a = ds.rejection_resample(f, [0.5, 0.5])  # dataset: unbatched
