# The shapes are open, of batches, or not known.
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(3)])
model.compile("adam", "mse")
model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32), ((None, 8), ())))
model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32), ((32, 8), (32,))))
model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32), (shape, ())))
model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32), ([], None)))
model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32), (tf.TensorShape(None), [])))
model.fit(tf.data.Dataset.from_generator(rows, (tf.float32, tf.int32)))
