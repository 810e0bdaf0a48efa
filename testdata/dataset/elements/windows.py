# Windows over a series: what a loop over the dataset hands out, without its batch.
import numpy as np
import tensorflow as tf

SIZE = 20
series = np.zeros((1000,), dtype=np.float32)
table = np.zeros((1000, 3), dtype=np.float32)

windows = tf.data.Dataset.from_tensor_slices(series).window(SIZE + 1, shift=1, drop_remainder=True)  # elements: ?
rows = windows.flat_map(lambda w: w.batch(SIZE + 1))
ds = rows.batch(32)  # elements: 21 float32  # batch: 32
ds = rows.shuffle(1000).map(lambda w: (w[:-1], w[-1])).batch(32).prefetch(1)  # elements: 20 float32, float32  # batch: 32
ds = rows.map(lambda w: (w[:-1], w[-1:])).batch(32)  # elements: 20 float32, 1 float32  # batch: 32
ds = rows.map(lambda w: (w[:-1], w[1:])).batch(16)  # elements: 20 float32, 20 float32  # batch: 16
ds = rows.map(lambda w: (w[:-1], w[1:]))  # elements: float32, float32  # batch: 20
ds = rows.map(lambda w: (w[:-1], w[-1]))  # elements: 20 float32, float32  # batch: none
ds = tf.data.Dataset.from_tensor_slices(table).window(5).flat_map(lambda w: w.batch(5)).map(lambda w: (w[:-1], w[-1, :1])).batch(8)  # elements: 4x3 float32, 1 float32  # batch: 8
ds = tf.data.Dataset.from_tensor_slices((table, series)).window(5).flat_map(lambda x, y: tf.data.Dataset.zip((x.batch(5), y.batch(5)))).batch(8)  # elements: 5x3 float32, 5 float32  # batch: 8
ds = tf.data.Dataset.from_tensor_slices(table).batch(4).window(5).flat_map(lambda w: w.batch(5))  # elements: ?
ds = tf.data.Dataset.from_tensor_slices(load()).window(5).flat_map(lambda w: w.batch(5))  # elements: ?
ds = windows.flat_map(lambda w: load(w))  # elements: ?
ds = windows.batch(32)  # elements: ?
