import tensorflow as tf
from pipelines import finish

ds = finish(tf.data.Dataset.from_tensor_slices((x, y)))
model.fit(ds)
model.fit(tf.data.Dataset.from_generator(batches, tf.float32))
model.fit(tf.data.Dataset.from_tensors((x, y)))
model.fit(tf.data.Dataset.list_files("*.png").interleave(read))
model.fit(tf.data.Dataset.from_tensor_slices((x, y)).apply(make_batches))
