import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
signature = (tf.TensorSpec(shape=(28, 28), dtype=tf.float32), tf.TensorSpec(shape=(), dtype=tf.int32))
written = tf.data.Dataset.from_generator(
    examples, output_signature=(tf.TensorSpec((28, 28), tf.float32), tf.TensorSpec([], tf.int32))
)
model.fit(written)  # want "from_generator on line 5 yields single examples"
