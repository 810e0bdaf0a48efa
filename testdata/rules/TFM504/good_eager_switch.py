# Everything runs eagerly.
import tensorflow as tf

tf.config.run_functions_eagerly(True)
for units in sizes:
    tf.keras.backend.clear_session()
    net = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    net.compile("adam", "mse")
    net.fit(x, y)
