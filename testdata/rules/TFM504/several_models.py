import tensorflow as tf


def small():
    return tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(1000), tf.keras.layers.Dense(1)])


def large(first):
    return tf.keras.Sequential([tf.keras.layers.Input((8,)), tf.keras.layers.Dense(2000), tf.keras.layers.Dense(1)])


for fold in range(20):
    first = small()  # want "builds another model"
    first.compile("adam", "mse")
    first.fit(x[fold], y[fold])
    second = large(first)
    second.compile("adam", "mse")
    second.fit(x[fold], y[fold])
