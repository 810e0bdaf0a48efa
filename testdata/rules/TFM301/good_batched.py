import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100).batch(32)
model.fit(ds.prefetch(tf.data.AUTOTUNE))
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).padded_batch(8))
model.evaluate(tf.data.Dataset.from_tensor_slices(x).ragged_batch(8))
