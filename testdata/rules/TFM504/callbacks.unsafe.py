"""A callback that outlives the iteration has the model that it was used with."""
import tensorflow as tf
import gc

stop = tf.keras.callbacks.EarlyStopping(patience=3)
watchers, scores = [], []


def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


def trained(units):
    model = build(units)
    model.fit(x, y, callbacks=[stop])


def watched(units):
    model = build(units)
    watchers.append(tf.keras.callbacks.EarlyStopping(patience=3))
    model.fit(x, y, callbacks=watchers)


for units in sizes:
    model = build(units)  # want "The callbacks on line 4 outlive the iteration\. A callback keeps the model that it was last used with, even then: create each one, and the list of them, in the iteration\.$"
    model.fit(x, y, callbacks=[stop])
for units in sizes:
    trained(units)  # want "The callbacks on line 4 outlive the iteration"
for units in sizes:
    watched(units)  # want "The callbacks on line 21 outlive the iteration"
for units in sizes:
    model = stopping = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "gc\.collect\(\)\.$"
    stopping = tf.keras.callbacks.EarlyStopping(patience=3)
    model.fit(x, y, callbacks=[stopping])
    scores.append(stopping.best)
