import tensorflow as tf

# Batches of steps are sequences, which the model takes.
signal = tf.random.normal((100_000, 8))
windows = tf.data.Dataset.from_tensor_slices(signal).batch(50, drop_remainder=True).map(lambda w: (w[:-1], w[1:]))
model = tf.keras.Sequential([tf.keras.layers.Input((49, 8)), tf.keras.layers.LSTM(64, return_sequences=True), tf.keras.layers.Dense(8)])
model.compile("adam", "mse")
model.fit(windows.shuffle(1000).batch(64, drop_remainder=True))

text = tf.data.Dataset.from_tensor_slices(tf.zeros((100_000,), tf.int32))
chunks = text.batch(101, drop_remainder=True).map(lambda c: (c[:-1], c[1:]))
writer = tf.keras.Sequential([tf.keras.layers.Input((None,)), tf.keras.layers.Embedding(65, 64), tf.keras.layers.GRU(128, return_sequences=True), tf.keras.layers.Dense(65)])
writer.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
writer.fit(chunks.batch(64, drop_remainder=True))
