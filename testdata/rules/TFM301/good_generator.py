import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
signature = (tf.TensorSpec((None, 28), tf.float32), tf.TensorSpec((), tf.float32))
model.fit(tf.data.Dataset.from_generator(batches, output_signature=(tf.TensorSpec((None, 28), tf.float32), tf.TensorSpec((), tf.float32))))
model.fit(tf.data.Dataset.from_generator(batches, output_signature=(tf.TensorSpec((8, 28), tf.float32), tf.TensorSpec((8,), tf.float32))))
model.fit(tf.data.Dataset.from_generator(examples, output_signature=(tf.TensorSpec((28,), tf.float32), tf.TensorSpec((), tf.int32))).batch(4))
