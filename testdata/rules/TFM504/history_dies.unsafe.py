"""A History in a container that dies with its function, or with the iteration, is not kept."""
import tensorflow as tf
import gc


def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


def named(units):
    result = {"history": build(units).fit(x, y)}
    return result["history"].history["loss"]


def stages(units):
    model, histories = build(units), []
    histories.append(model.fit(x, y))
    histories.append(model.fit(x, y))
    return [h.history["loss"] for h in histories]


def losses(units):
    model, histories, total = build(units), [], 0
    histories.append(model.fit(x, y))
    for h in histories:
        total += h.history["loss"][-1]
    return total


def all_of(units):
    histories = []
    histories.append(build(units).fit(x, y))
    return histories


def several():
    histories = []
    for units in sizes:
        model = build(units)  # want "The History that fit\(\) returns on line 41 is kept"
        histories.append(model.fit(x, y))
    return [h.history for h in histories]


kept = []
for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    print(named(units))  # want "Earlier models stay"
for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    print(stages(units))  # want "Earlier models stay"
for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    print(losses(units))  # want "Earlier models stay"
for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    print(all_of(units))  # want "Earlier models stay"
for units in sizes:
    kept.append(all_of(units))  # want "The History that fit\(\) returns on line 33 is kept"
for units in sizes:
    histories = model = None
    tf.keras.backend.clear_session()
    gc.collect()
    histories = []
    model = build(units)  # want "Earlier models stay"
    histories.append(model.fit(x, y))
    histories.append(model.fit(x, y))
    print(histories[-1].history)
several()
