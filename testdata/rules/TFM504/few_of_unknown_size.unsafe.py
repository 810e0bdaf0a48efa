import tensorflow as tf
import gc

for units in [structure(0), structure(1), structure(2)]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  # want "information: .* There are 3 models, and how much memory each takes is not known here"
    model.compile("adam", "mse")
    model.fit(x, y)
