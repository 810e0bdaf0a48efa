# keras: 2.13
import tensorflow as tf

x, y = tf.random.normal((4096, 16)), tf.random.normal((4096, 1))
rows = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
model = tf.keras.Sequential([tf.keras.layers.Dense(256, activation="relu", input_shape=(16,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.evaluate(rows.batch(64))  # want "evaluate\(\) gets batches of batches"
