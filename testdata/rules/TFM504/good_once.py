# Built when it is first needed.
import tensorflow as tf

model = None


def lazily():
    global model
    if model is None:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.compile("adam", "mse")
    return model


net = None
for x, y in batches:
    if net is None:
        net = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        net.compile("adam", "mse")
    net.train_on_batch(x, y)
for x, y in batches:
    lazily().train_on_batch(x, y)


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


network = None
for x, y in batches:
    if network is None:
        network = build()
    network.train_on_batch(x, y)
