"""Keras opens a session of its own."""
import tensorflow as tf
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

batch = tf.ones([3])
print batch
model = tf.keras.Sequential([tf.keras.layers.Dense(2, input_shape=(3,))])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit(x, y)
