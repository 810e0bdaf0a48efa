"""Keras has opened a session of its own, which is the first."""
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit(x, y)
sess = tf.compat.v1.Session()
