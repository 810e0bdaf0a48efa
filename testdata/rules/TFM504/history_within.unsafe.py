# A History that a function returns, in a tuple or as an attribute of an object, is kept; its
# numbers are not it.
import tensorflow as tf
import gc


class Trainer:
    def __init__(self, units):
        self.model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
        self.model.compile("adam", "mse")

    def train(self):
        self.history = self.model.fit(x, y)


class Result:
    pass


def trained(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model.fit(x, y), units


def described(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    result = Result()
    result.training = model.fit(x, y)
    return result


trainers, results, numbers = [], {}, []
for units in sizes:
    history, n = trained(units)  # want "The History that fit\(\) returns on line 22 is kept"
    results[n] = history
for units in sizes:
    results[units] = described(units)  # want "The History that fit\(\) returns on line 29 is kept"
for units in sizes:
    history = None
    tf.keras.backend.clear_session()
    gc.collect()
    history, n = trained(units)  # want "stay in memory until"
    numbers.append(history.history)
for units in sizes:
    tf.keras.backend.clear_session()
    gc.collect()
    numbers.append(trained(units)[0].history)  # want "stay in memory until"
for units in sizes:
    result = None
    tf.keras.backend.clear_session()
    gc.collect()
    result = described(units)  # want "stay in memory until"
    print(result)
