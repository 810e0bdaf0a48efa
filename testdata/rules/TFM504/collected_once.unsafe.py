# Garbage is collected once, outside the loop.
import gc
import tensorflow as tf

tf.keras.backend.clear_session()
table = table.drop(columns=["time"])
gc.collect()


def create_model():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


for train, rest in folds.split(x):
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = create_model()  # want "loop on line 16"
    model.fit(x[train], y[train])
gc.collect()
