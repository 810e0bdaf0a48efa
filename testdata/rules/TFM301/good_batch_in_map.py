import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y))
model.fit(ds.map(lambda a, b: (tf.expand_dims(a, 0), tf.expand_dims(b, 0))))
model.fit(ds.map(lambda a, b: (a[None], b[tf.newaxis])))
