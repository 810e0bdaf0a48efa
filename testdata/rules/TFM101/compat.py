# This may run under TensorFlow 1 as well.
import tensorflow.compat.v1 as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit(x, y)
