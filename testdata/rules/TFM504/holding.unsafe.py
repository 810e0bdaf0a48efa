# The names of the earlier model are dropped first, unless something may read them.
import tensorflow as tf
import gc


def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


for units in sizes:
    model = history = None
    tf.keras.backend.clear_session()
    gc.collect()
    model = build(units)  # want "loop on line 11"
    history = model.fit(x, y)
    print(history.history)

model = build(1)
for units in sizes:
    print(model.predict(x))
    model = build(units)  # want "loop on line 17"
    model.fit(x, y)


def show():
    print(shown.predict(x))


for units in sizes:
    show()
    shown = build(units)  # want "loop on line 27"
    shown.fit(x, y)


class Trainer:
    def run(self):
        for units in sizes:
            self.model = build(units)  # want "loop on line 35 .* self\.model on line 36 still has the earlier model when an iteration begins"
            self.model.fit(x, y)


for units in sizes:
    inputs = hidden = optimizer = model = None
    tf.keras.backend.clear_session()
    gc.collect()
    inputs = tf.keras.Input((4,))
    hidden = tf.keras.layers.Dense(units)(inputs)
    optimizer = tf.keras.optimizers.Adam()
    model = tf.keras.Model(inputs, hidden)  # want "loop on line 40"
    model.compile(optimizer, "mse")
    result = model.fit(x, y).history
    print(result)
