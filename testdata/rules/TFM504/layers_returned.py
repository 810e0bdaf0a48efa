"""A function returns layers and the optimizer in a tuple, and lists of layers are put together."""
import tensorflow as tf


def create(units):
    layers = (tf.keras.layers.Dense(units), tf.keras.layers.Dense(1))
    optimizer = tf.keras.optimizers.Adam()
    return layers, optimizer


def both():
    return [tf.keras.layers.Dense(3), tf.keras.layers.Dense(1)]


for units in sizes:
    layers, optimizer = create(units)
    model = tf.keras.Sequential(list(layers))  # want "loop on line 15 .* gc\.collect\(\)\.$"
    model.compile(optimizer, "mse")
    model.fit(x, y)
for units in sizes:
    layers, optimizer = create(units)
    model = tf.keras.Sequential([*layers])  # want "loop on line 20 .* gc\.collect\(\)\.$"
    model.compile(optimizer, "mse")
    model.fit(x, y)


def built(optimizer, metrics=None):
    model = tf.keras.Sequential(both())
    model.compile(optimizer, "mse", metrics=metrics)
    return model


for rate in rates:
    model = built(tf.keras.optimizers.SGD(rate))  # want "gc\.collect\(\)\.$"
    model.fit(x, y)
for units in sizes:
    made = {"first": tf.keras.layers.Dense(3)}
    made["second"] = tf.keras.layers.Dense(1)
    stack = both()[:1]
    stack.append(made["second"])
    model = tf.keras.Sequential(list(made.values()) + stack)  # want "loop on line 36 .* gc\.collect\(\)\.$"
    model.compile("adam", "mse")
    model.fit(x, y)

layers, optimizer = create(8)
for units in sizes:
    model = tf.keras.Sequential(list(layers) + [tf.keras.layers.Dense(units)])  # want "The layers on line 6 exist before the iteration\. They keep the layers that each model connects to them, even then: create or clone them in the iteration\.$"
    model.compile("adam", "mse")
    model.fit(x, y)
shared = both()
for units in sizes:
    model = tf.keras.Sequential([*shared, tf.keras.layers.Dense(units)])  # want "The layers on line 12 exist before the iteration"
    model.compile("adam", "mse")
    model.fit(x, y)
optimizers = dict(adam=tf.keras.optimizers.Adam(), sgd=tf.keras.optimizers.SGD())
for name in optimizers:
    model = tf.keras.Sequential(both())  # want "The optimizers on line 55 exist before the iteration"
    model.compile(optimizers[name], "mse")
    model.fit(x, y)
teacher = tf.keras.Sequential(both())
for units in sizes:
    model = tf.keras.Sequential(both())  # want "gc\.collect\(\)\.$"
    model.compile("adam", "mse")
    model.fit(x, teacher.predict(x))
