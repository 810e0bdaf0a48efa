import tensorflow as tf
import gc

for kind in kinds:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    if kind == "small":
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])  # want "loop on line 3"
    else:
        model = tf.keras.Sequential([tf.keras.layers.Dense(100)])
    model.compile("adam", "mse")
    model.fit(x, y)
