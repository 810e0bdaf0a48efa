# Models that whoever goes through the items is given.
import tensorflow as tf


def build(units):
    net = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    net.compile("adam", "mse")
    return net


ensemble = [build(units) for units in sizes]
by_size = {units: build(units) for units in sizes}


def trained(units):
    net = build(units)
    net.fit(x, y)
    return net


members = list(map(trained, sizes))
