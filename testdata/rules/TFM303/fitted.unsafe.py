import numpy as np
import tensorflow as tf

x = np.random.rand(50_000, 64, 64, 3).astype("float32")
y = np.random.randint(0, 10, 50_000)
model = tf.keras.Sequential([tf.keras.Input((64, 64, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)])
model.compile("adam", "sparse_categorical_crossentropy")
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((x, y)).batch(64)
model.fit(train_data, epochs=2)  # want "2\.29 GiB"
split = int(len(x) * (1 - 0.1))
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices((x[:split], y[:split])).shuffle(split).batch(32)
    validation_batches = tf.data.Dataset.from_tensor_slices((x[split:], y[split:])).batch(32)
model.fit(train_data, validation_data=validation_batches)  # want "2\.29 GiB"
with tf.device("/CPU:0"):
    train_data = tf.data.Dataset.from_tensor_slices(({"input": x}, y)).shuffle(len(x)).batch(32)
model.fit(train_data)  # want "2\.29 GiB"
for _ in range(3):
    model.fit(x, y)  # want "2\.29 GiB"
with tf.device("/CPU:0"):
    test_data = tf.data.Dataset.from_tensor_slices((x, y)).batch(32)
print(model.evaluate(test_data, verbose=0))  # want "2\.29 GiB"
predictions = model.predict(x / 2)  # want "2\.29 GiB"
with tf.device("/CPU:0"):
    batches = tf.data.Dataset.from_tensor_slices(x).batch(64)
predictions = model.predict(batches, verbose=0)  # want "2\.29 GiB"
