# An ensemble is kept on purpose.
import tensorflow as tf


def build():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
    return model


def trained(i):
    model = build()
    history = model.fit(x, y)
    return model, history


class Member:
    def __init__(self):
        self.model = build()


models, by_name, members = [], {}, []
for i in range(5):
    model = build()
    model.fit(x, y)
    models.append(model)
for name in names:
    by_name[name] = build()
    by_name[name].fit(x, y)
for i in range(5):
    model, history = trained(i)
    models.append(model)
for i in range(5):
    models.append(trained(i))
for i in range(5):
    member = Member()
    members.append(member)
more = [build() for _ in range(5)]
