import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
inputs = tf.data.Dataset.from_tensor_slices(pictures).batch(32)
targets = tf.data.Dataset.from_tensor_slices(labels).batch(32)
model.fit(tf.data.Dataset.zip((inputs, targets)), batch_size=8)  # want "batch\(\) on line 4 makes them"
