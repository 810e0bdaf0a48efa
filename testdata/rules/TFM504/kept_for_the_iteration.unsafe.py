# The iteration keeps its models in a list of its own, which goes with it.
import tensorflow as tf
import gc


def build(units):
    return tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(units)])


def shelve(model):
    shelf.append(model)


shelf = []
for units in [2**12, 2**13, 2**14]:
    own = model = None
    tf.keras.backend.clear_session()
    gc.collect()
    own = []
    model = build(units)  # want "Every iteration of the loop on line 14 builds another model, and none is freed\."
    model.compile("adam", "mse")
    model.fit(x, y)
    own.append(model)
for units in [2**12, 2**13, 2**14]:
    model = build(units)
    model.compile("adam", "mse")
    model.fit(x, y)
    shelve(model)
