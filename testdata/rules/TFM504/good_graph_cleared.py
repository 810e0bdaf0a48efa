# clear_session() resets the graph of TensorFlow 1, and frees what was in it.
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
for units in sizes:
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units, input_shape=(784,)), tf.keras.layers.Dense(10)])
    model.compile("adam", "mse")
    model.fit(x, y)
