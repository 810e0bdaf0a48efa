# By the name that TensorFlow 1 has for it.
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
for units in sizes:
    tf.reset_default_graph()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(784,)), tf.keras.layers.Dense(10)])
    model.compile("adam", "mse")
    model.fit(x, y)
