import tensorflow as tf

print(tf.config.list_physical_devices("GPU")))  # want "closes nothing"

x = tf.constant([1, 2)  # want "does not close"
y = 1

model = tf.keras.Sequential([tf.keras.layers.Dense(10)  # want "is never closed: Python raises SyntaxError"
