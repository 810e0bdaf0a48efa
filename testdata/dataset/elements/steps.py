# What the steps make of the elements, of their number and of the batch.
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((tf.zeros([100, 28, 28]), tf.zeros([100], tf.int32)))
a = ds.batch(32)  # elements: 28x28 float32, int32  # batch: 32  # count: 4
a = ds.batch(32, drop_remainder=True)  # batch: 32  # count: 3
a = ds.batch(32).unbatch()  # elements: 28x28 float32, int32  # batch: none  # count: ?
a = ds.batch(size)  # elements: 28x28 float32, int32  # batch: ?  # count: ?
a = ds.batch(4).batch(2)  # elements: 4x28x28 float32, 4 int32  # batch: 2
a = ds.batch(size).batch(2)  # elements: ?  # batch: 2
a = ds.padded_batch(10)  # elements: 28x28 float32, int32  # batch: 10
a = ds.padded_batch(10, padded_shapes=([None, None], []))  # elements: ?  # batch: 10
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
a = ds.batch(10).map(lambda x, y: tf.reshape(x, (-1, 7840)))  # elements: ?
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
a = tf.data.Dataset.zip((ds, elsewhere))  # elements: ?
a = ds.concatenate(ds)  # elements: 28x28 float32, int32  # count: 200
a = ds.concatenate(ds.batch(2))  # elements: ?  # batch: ?
a = ds.enumerate()  # elements: int64, 28x28 float32, int32
a = ds.interleave(f)  # elements: ?  # batch: ?
a = ds.apply(f).batch(4)  # elements: ?  # batch: 4
a = tf.data.Dataset.range(7)  # elements: int64  # count: 7
a = tf.data.TFRecordDataset("a").shuffle(10)  # elements: string  # count: ?


def prepare(ds, size=16):
    return ds.shuffle(100).batch(size)


def scaled(x, y):
    x = tf.cast(x, tf.float32) / 255.0
    return x, y


a = prepare(ds.map(scaled)).prefetch(1)  # elements: 28x28 float32, int32  # batch: 16
