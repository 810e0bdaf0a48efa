# keras: 3.8
import tensorflow as tf

for units in sizes:
    model = None
    tf.keras.backend.clear_session()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "loop on line 4"
    model.compile("adam", "mse")
    model.fit(x, y)
