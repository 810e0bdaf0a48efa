# keras: 2.13
import gc
import tensorflow as tf


def run(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    model.fit(x, y)
    gc.collect()


for units in sizes:
    run(units)
