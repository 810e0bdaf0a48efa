import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.shuffle(100)
for f in (flip, crop):
    ds = ds.map(f)
ds = ds.batch(32)
model.fit(ds)
