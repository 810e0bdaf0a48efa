# A session without a graph of its own uses that of all others.
import keras
import tensorflow as tf
import gc

for units in sizes:
    model = None
    keras.backend.clear_session()
    gc.collect()
    with tf.compat.v1.Session():
        model = keras.Sequential([keras.layers.Dense(units)])  # want "loop on line 5"
        model.compile("adam", "mse")
        model.fit(x, y)
