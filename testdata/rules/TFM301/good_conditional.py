import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y))
if batched:
    ds = ds.batch(32)
model.fit(ds)
