"""Nothing here is TensorFlow's, though tensorflow is mentioned."""
import termfrequency as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.fit([[1.0]], [[1.0]])
