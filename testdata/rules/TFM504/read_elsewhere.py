"""Who reads the name of the earlier model, and what else still has it, decides about the fix."""
import tensorflow as tf


def build(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("adam", "mse")
    return model


def show():
    print(model.predict(x))


def trained(units):
    global net
    net = build(units)
    net.fit(x, y)


class Agent:
    def prepare(self, units):
        self.model = build(units)


for units in sizes:
    model = build(units)  # want "model on line 27 still has the earlier model when an iteration begins"
    model.fit(x, y)
    show()
for units in sizes:
    show()
    model = build(units)  # want "model on line 32 still has the earlier model when an iteration begins: set it to None before the session is cleared\.$"
    model.fit(x, y)
for units in sizes:
    trained(units)  # want "net on line 17 still has the earlier model"
agent = Agent()
for units in sizes:
    agent.prepare(units)  # want "self\.model on line 23 still has the earlier model"
    agent.model.fit(x, y)
for units in sizes:
    new = Agent()
    new.prepare(units)  # want "gc\.collect\(\)\.$"
    new.model.fit(x, y)
best = None
for units in sizes:
    candidate = build(units)  # want "gc\.collect\(\)\.$"
    candidate.fit(x, y)
    if best is None or units > 8:
        best = candidate
best.predict(x)
