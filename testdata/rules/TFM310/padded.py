import tensorflow as tf

lines = tf.data.Dataset.from_tensor_slices(tf.zeros((2048, 100), tf.int32)).map(lambda line: (line, tf.reduce_sum(line)))
lines = lines.batch(16)
lines = lines.padded_batch(16)  # want "fit\(\) gets batches of batches\. batch\(\) on line 4 makes the first\."
inputs = tf.keras.Input((100,), dtype="int32")
x = tf.keras.layers.Embedding(5000, 32)(inputs)
x = tf.keras.layers.GlobalAveragePooling1D()(x)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(x))
model.compile("adam", "mse")
model.fit(lines)
