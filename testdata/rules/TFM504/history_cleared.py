# clear_session() frees nothing that a History holds.
import gc

import tensorflow as tf

histories, losses = {}, {}
for units in [8, 16, 32]:
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "Every iteration of the loop on line 7 builds another model, and none is freed\. The History that fit\(\) returns on line 12 is kept, and keeps its model alive\. Keep history\.history, a dict of numbers, and clear the session in each iteration\.$"
    model.compile("adam", "mse")
    histories[units] = model.fit(x, y)
for units in [8, 16, 32]:
    tf.keras.backend.clear_session()
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    losses[units] = model.fit(x, y).history["loss"]
