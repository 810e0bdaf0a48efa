# The History of each training is kept, and holds the model.
import tensorflow as tf
import gc


def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


def trained(units):
    model = build(units)
    history = model.fit(x, y)
    return history


histories, by_name = [], {}
for units in [8, 16, 32]:
    model = build(units)  # want "Every iteration of the loop on line 18 builds another model, and none is freed\. The History that fit\(\) returns on line 20 is kept, and keeps its model alive\. Keep history\.history, a dict of numbers, and clear the session in each iteration\.$"
    history = model.fit(x, y)
    by_name[units] = history
for units in [8, 16, 32]:
    model = build(units)  # want "Every iteration of the loop on line 22 builds another model, and none is freed\. The History that fit\(\) returns on line 24 is kept, and keeps its model alive\. Keep history\.history, a dict of numbers, and clear the session in each iteration\.$"
    histories.append(model.fit(x, y))
for units in [8, 16, 32]:
    by_name[units] = trained(units)  # want "Every iteration of the loop on line 25 builds another model, and none is freed\. The History that fit\(\) returns on line 13 is kept, and keeps its model alive\. Keep history\.history, a dict of numbers, and clear the session in each iteration\.$"
for units in [8, 16, 32]:
    model = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "stay in memory until Python's garbage collector finds them"
    histories.append(model.fit(x, y).history)
for units in [8, 16, 32]:
    model = history = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "stay in memory until Python's garbage collector finds them"
    history = model.fit(x, y)
    by_name[units] = history.history["loss"][-1]
    plot(history)
