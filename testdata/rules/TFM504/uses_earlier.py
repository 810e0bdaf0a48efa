# What was made before the loop stays as it is: only garbage is collected.
import tensorflow as tf

base = tf.keras.applications.ResNet50(include_top=False)
grid = {"optimizer": [tf.keras.optimizers.SGD(0.1)]}


def build(units):
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


for units in sizes:
    model = build(units)  # want "loop on line 14"
    model.fit(x, y)


class Search:
    def __init__(self):
        self.encoder = tf.keras.layers.Dense(8)

    def run(self):
        for units in sizes:
            model = tf.keras.Sequential([self.encoder, tf.keras.layers.Dense(units)])  # want "loop on line 24"
            model.compile("adam", "mse")
            history = model.fit(x, y)
            print(history.history)


blocks = [tf.keras.layers.Dense(8), tf.keras.layers.Dense(8)]


def stacked(units, *parts):
    model = tf.keras.Sequential([*parts, tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


for units in sizes:
    model = stacked(units, *blocks)  # want "loop on line 40"
    model.fit(x, y)
