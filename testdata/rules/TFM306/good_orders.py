import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y))
model.fit(ds.shuffle(1000).batch(32))
model.fit(ds.shuffle(1000).repeat().batch(32))
model.fit(ds.take(100).cache().batch(32), epochs=3)
# The examples are shuffled already.
model.fit(ds.shuffle(1000).batch(32).shuffle(10))
model.fit(ds.shuffle(1000).repeat().shuffle(10).batch(4))
# One pass.
model.fit(ds.repeat(1).shuffle(10).batch(4))
