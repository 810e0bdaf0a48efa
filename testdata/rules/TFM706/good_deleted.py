# device: 8 GiB
from tensorflow import keras


def build():
    return keras.Sequential([keras.layers.Input((40000,)), keras.layers.Dense(8192), keras.layers.Dense(1)])


# Deleted, rebound, of another function, or one of two.
first = build()
first.compile("adam", "mse")
first.fit(x, y)
del first
second = build()
second.compile("adam", "mse")
second.fit(x, y)


def rebinds():
    model = build()
    model.compile("adam", "mse")
    model.fit(x, y)
    model = build()
    model.compile("adam", "mse")
    model.fit(x, y)


def either(which):
    one, two = build(), build()
    one.compile("adam", "mse")
    two.compile("adam", "mse")
    if which:
        one.fit(x, y)
    else:
        two.fit(x, y)


def in_turn():
    for fold in range(3):
        each = build()
        each.compile("adam", "mse")
        each.fit(x, y)


def train(x, y):
    own = build()
    own.compile("adam", "mse")
    own.fit(x, y)
    return own.evaluate(x, y)


train(x, y)
train(x, y)
