# keras: 2.15
import gc
import tensorflow as tf


def fresh(rate):
    net = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1)])
    net.compile(tf.keras.optimizers.Adam(rate), "mse")
    return net


for rate in rates:
    net = fresh(rate)  # want "^hint: .* whose variables stay\."
    net.fit(x, y)
    del net
    tf.keras.backend.clear_session()
    gc.collect()
