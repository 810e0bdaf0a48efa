"""clear_session would undo the policy."""
import tensorflow as tf
import gc

tf.keras.mixed_precision.set_global_policy("mixed_float16")
for units in sizes:
    model = None
    gc.collect()
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])  # want "loop on line 5"
    model.compile("adam", "mse")
    model.fit(x, y)
