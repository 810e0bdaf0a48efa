# TensorFlow 1.14 lists its GPUs by another name.
import tensorflow as tf
import os

os.environ["TF_FORCE_GPU_ALLOW_GROWTH"] = "true"

tf.enable_eager_execution()
model = tf.keras.Sequential([tf.keras.layers.Dense(10, input_shape=(4,))])  # want "Memory growth is not set"
optimizer = tf.train.AdamOptimizer(0.01)
model.compile(optimizer, "mse")
model.fit(features, labels, batch_size=32)
