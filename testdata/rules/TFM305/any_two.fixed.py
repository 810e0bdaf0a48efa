# TensorFlow 2.0 has the experimental name alone, and every later one has it too.
import tensorflow as tf

assert tf.__version__.startswith("2.")
model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
data = tf.data.Dataset.from_tensor_slices(([[1.0]], [[1.0]])).batch(8).prefetch(tf.data.experimental.AUTOTUNE)
model.fit(data)  # want "The pipeline that reaches fit\(\) does not prefetch\."
