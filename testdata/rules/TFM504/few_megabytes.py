# 3,000 models of 161 parameters each: with the slots of Adam 5.5 MiB at most, whatever happens to them.
import tensorflow as tf


def small(units):
    model = tf.keras.Sequential([tf.keras.layers.Input((3,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def larger(units):
    model = tf.keras.Sequential([tf.keras.layers.Input((784,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(10)])
    model.compile("adam", "mse")
    return model


def largest(units):
    model = tf.keras.Sequential([tf.keras.layers.Input((784,)), tf.keras.layers.Dense(units), tf.keras.layers.Dense(10)])
    model.compile("adam", "mse")
    return model


for fold in range(1000):
    for units in [8, 16, 32]:
        model = small(units)  # want "hint: .* All 3000 of them together take 5\.\d+ MiB at most\.$"
        model.fit(x, y)
for units in [128, 256]:
    for rate in [1e-2, 1e-3]:
        model = larger(units)  # want "hint: .* All 4 of them together take 9\.\d+ MiB at most\.$"
        model.fit(x, y)
for fold in range(20):
    model = largest(512)  # want "warning: .* All 20 of them together take 93\.2 MiB at most\.$"
    model.fit(x, y)
