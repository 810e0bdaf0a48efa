import gc as garbage
import tensorflow as tf

for units in sizes:
    model = None
    tf.keras.backend.clear_session()
    garbage.collect()
    model = tf.keras.Sequential([tf.keras.layers.LocallyConnected1D(units, 3)])  # want "loop on line 4"
    model.compile("adam", "mse")
    model.fit(x, y)
