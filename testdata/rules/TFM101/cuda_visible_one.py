import os

os.environ["CUDA_VISIBLE_DEVICES"] = "0"
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "Memory growth is not set"
model.compile("sgd", "mse")
model.fit([[1.0]], [[1.0]])
