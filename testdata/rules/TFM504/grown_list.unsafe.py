# Each list may be longer than what it is made of.
import tensorflow as tf
import gc

penalties = [0.0, 3.0]
for penalty in penalties:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "loop on line 5"
    model.compile("adam", "mse")
    model.fit(x, y)
penalties.append(5.0)
rates = [0.1, 0.2]
for i in range(8):
    rates[1:] = [i, i]
for rate in rates:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "loop on line 13"
    model.compile("adam", "mse")
    model.fit(x, y)
