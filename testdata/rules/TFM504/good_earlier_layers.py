# The layers exist before the loop, and are the same in all models.
import tensorflow as tf


def build(*layers, rate=0.1):
    model = tf.keras.Sequential(layers)
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    return model


def listed(layers, rate):
    model = tf.keras.Sequential(layers=layers)
    model.compile(tf.keras.optimizers.SGD(rate), "mse")
    return model


def run(rates, first, second):
    for rate in rates:
        build(first, second, rate=0.1).fit(x, y)


first, second = tf.keras.layers.Dense(8), tf.keras.layers.Dense(1)
for _ in range(20):
    model = build(first, second)
    model.fit(x, y)
for _ in range(20):
    model = listed([first, second], 0.1)
    model.fit(x, y)
