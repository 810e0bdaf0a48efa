# TFM301 reports it, and makes batches of that size.
import tensorflow as tf

train = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(100)
model.fit(train, batch_size=32)
