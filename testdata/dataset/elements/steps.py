# What the steps make of the elements, of their number and of the batch.
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((tf.zeros([100, 28, 28]), tf.zeros([100], tf.int32)))
a = ds.batch(32)  # elements: 28x28 float32, int32  # batch: 32  # count: 4
a = ds.batch(32, drop_remainder=True)  # batch: 32  # count: 3
a = ds.batch(32).unbatch()  # elements: 28x28 float32, int32  # batch: none  # count: ?
a = ds.batch(size)  # elements: 28x28 float32, int32  # batch: ?  # count: ?
a = ds.batch(4).batch(2)  # elements: 4x28x28 float32, 4 int32  # batch: 2
a = ds.batch(size).batch(2)  # elements: ?x28x28 float32, ? int32  # batch: 2
a = ds.padded_batch(10)  # elements: 28x28 float32, int32  # batch: 10
a = ds.padded_batch(10, padded_shapes=([None, None], []))  # elements: 28x28 float32, int32  # batch: 10
a = ds.padded_batch(10, padded_shapes=([30, -1], []))  # elements: 30x28 float32, int32  # batch: 10
a = ds.shuffle(10).prefetch(1).cache()  # elements: 28x28 float32, int32  # count: 100
a = ds.take(10)  # count: 10
a = ds.skip(10)  # count: 90
a = ds.repeat(3)  # count: 300
a = ds.repeat()  # count: ?  # elements: 28x28 float32, int32
a = ds.filter(f)  # count: ?  # elements: 28x28 float32, int32
a = ds.map(lambda x, y: (x[..., tf.newaxis], y))  # elements: 28x28x1 float32, int32
a = ds.map(lambda x, y: (tf.image.resize(x[..., None], (64, 48)), tf.one_hot(y, 10)))  # elements: 64x48x1 float32, 10 float32
a = ds.map(lambda x, y: tf.cast(x, tf.float16))  # elements: 28x28 float16
a = ds.map(elsewhere)  # elements: ?  # count: 100
a = ds.batch(10).map(lambda x, y: (tf.expand_dims(x, -1), y))  # elements: 28x28x1 float32, int32  # batch: 10
a = ds.batch(10).map(lambda x, y: tf.reshape(x, (-1, 7840)))  # elements: 7840 float32  # batch: 1
a = tf.data.Dataset.zip((ds, ds.take(7)))  # elements: 28x28 float32, int32, 28x28 float32, int32  # count: 7
a = tf.data.Dataset.zip((ds, ds.batch(7)))  # elements: ?  # batch: ?
pair = tf.data.Dataset.zip((ds.map(lambda x, y: x), ds))  # elements: 28x28 float32, 28x28 float32, int32
a = pair.map(lambda x, labelled: labelled)  # elements: 28x28 float32, int32
a = pair.batch(4).map(lambda x, labelled: labelled[1])  # elements: int32  # batch: 4
named = tf.data.Dataset.from_tensor_slices({"image": tf.zeros([100, 28, 28]), "label": tf.zeros([100], tf.int32)})  # elements: 28x28 float32, int32
a = named.map(lambda example: example["label"])  # elements: int32
a = tf.data.Dataset.zip({"a": named, "b": ds}).map(lambda both: (both["b"][0], both["a"]["image"]))  # elements: 28x28 float32, 28x28 float32
a = ds.enumerate().map(lambda i, example: example[0])  # elements: 28x28 float32
a = ds.map(lambda x, y: {"x": x, "y": (y, y)}).map(lambda d: d["y"])  # elements: int32, int32
a = tf.data.Dataset.zip((ds, elsewhere))  # elements: 28x28 float32, int32, ?
a = tf.data.Dataset.zip((elsewhere, ds))  # elements: ?
a = ds.concatenate(ds)  # elements: 28x28 float32, int32  # count: 200
a = ds.concatenate(ds.batch(2))  # elements: ?  # batch: ?
a = ds.enumerate()  # elements: int64, 28x28 float32, int32
a = ds.interleave(f)  # elements: ?  # batch: ?
a = ds.interleave(lambda x, y: tf.data.Dataset.from_tensor_slices(x).batch(7))  # elements: 28 float32  # batch: 7  # count: ?
a = ds.flat_map(lambda x, y: ds.take(3))  # elements: 28x28 float32, int32  # batch: none  # count: ?
a = ds.flat_map(lambda x, y: x)  # elements: ?  # batch: ?
files = tf.data.Dataset.list_files("*.tfrec").interleave(tf.data.TFRecordDataset, cycle_length=4)  # elements: string  # batch: none
a = ds.apply(f).batch(4)  # elements: ?  # batch: 4
a = ds.apply(lambda d: d.shuffle(10).batch(19))  # elements: 28x28 float32, int32  # batch: 19  # count: 6
a = ds.batch(10).rebatch(26)  # elements: 28x28 float32, int32  # batch: 26  # count: ?
a = ds.batch(10).rebatch([2, 8])  # elements: 28x28 float32, int32  # batch: ?
a = ds.rebatch(26)  # elements: ?  # batch: ?
a = ds.ragged_batch(18)  # elements: 28x28 float32, int32  # batch: 18  # count: 6
a = ds.batch(21).map(lambda x, y: (tf.concat([x, x], 0), tf.concat([y, y], 0)))  # elements: 28x28 float32, int32  # batch: 42
a = ds.batch(21).map(lambda x, y: (tf.concat([x, x], 0), y))  # elements: ?  # batch: ?
a = tf.data.Dataset.sample_from_datasets([ds.repeat(), ds], [0.5, 0.5]).batch(17)  # elements: 28x28 float32, int32  # batch: 17  # count: ?
a = tf.data.experimental.sample_from_datasets([ds.batch(5), ds.batch(5)], weights=None)  # elements: 28x28 float32, int32  # batch: 5
a = tf.data.Dataset.choose_from_datasets([ds, ds], tf.data.Dataset.range(2).repeat(9)).batch(3)  # elements: 28x28 float32, int32  # batch: 3
a = tf.data.Dataset.sample_from_datasets([ds, ds.batch(2)])  # elements: ?  # batch: ?
a = tf.data.Dataset.sample_from_datasets(elsewhere)  # elements: ?  # batch: ?
a = tf.data.Dataset.from_tensors((tf.zeros((96, 90, 3), tf.uint8), tf.zeros((), tf.int64))).repeat(50)  # elements: 96x90x3 uint8, int64  # batch: none  # count: 50
a = tf.data.Dataset.from_tensors((tf.zeros((96, 3)), tf.zeros((4,)))).batch(2)  # elements: 96x3 float32, 4 float32  # batch: 1
a = ds.map(lambda x, y: (tf.image.random_crop(x, [20, 24]), y))  # elements: 20x24 float32, int32
a = ds.map(lambda x, y: (tf.image.random_crop(value=tf.stack([x, x]), size=(2, 20, 24))[0], y))  # elements: 20x24 float32, int32
a = ds.map(lambda x, y: (tf.image.central_crop(x[..., None], 0.5), tf.image.central_crop(x[..., None], 0.3)))  # elements: 14x14x1 float32, 10x10x1 float32
a = tf.data.Dataset.range(7)  # elements: int64  # count: 7
a = tf.data.TFRecordDataset("a").shuffle(10)  # elements: string  # count: ?


def prepare(ds, size=16):
    return ds.shuffle(100).batch(size)


def scaled(x, y):
    x = tf.cast(x, tf.float32) / 255.0
    return x, y


a = prepare(ds.map(scaled)).prefetch(1)  # elements: 28x28 float32, int32  # batch: 16

# What apply makes of the transformations of tf.data.experimental.
def twice(x, y):
    return tf.concat([x, x], 0), y

a = ds.apply(tf.data.experimental.shuffle_and_repeat(10, 3))  # elements: 28x28 float32, int32  # batch: none  # count: 300
a = ds.apply(tf.data.experimental.map_and_batch(twice, 32))  # elements: 56x28 float32, int32  # batch: 32  # count: 4
a = ds.apply(tf.data.experimental.map_and_batch(map_func=twice, batch_size=32, drop_remainder=True))  # batch: 32  # count: 3
a = ds.batch(5).apply(tf.data.experimental.unbatch())  # elements: 28x28 float32, int32  # batch: none
a = ds.apply(tf.data.experimental.enumerate_dataset())  # elements: int64, 28x28 float32, int32
a = ds.batch(8).apply(tf.data.experimental.prefetch_to_device("/gpu:0"))  # elements: 28x28 float32, int32  # batch: 8  # count: 13
a = ds.apply(tf.data.experimental.parallel_interleave(lambda x, y: tf.data.Dataset.from_tensor_slices(x), cycle_length=4))  # elements: 28 float32  # batch: none
a = ds.apply(tf.data.experimental.dense_to_ragged_batch(10))  # elements: 28x28 float32, int32  # batch: 10
a = ds.apply(tf.data.experimental.assert_cardinality(10))  # elements: 28x28 float32, int32  # count: 10
a = ds.repeat().apply(tf.data.experimental.assert_cardinality(tf.data.experimental.INFINITE_CARDINALITY))  # count: ?
a = ds.apply(tf.data.experimental.bucket_by_sequence_length(f, [10], [4, 8]))  # elements: ?
make = tf.data.experimental.map_and_batch(twice, 16)
a = ds.apply(make)  # elements: 56x28 float32, int32  # batch: 16
