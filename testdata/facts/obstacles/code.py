# What keeps functions from being compiled by tf.function.
import random

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
history = []


def pure(x):  # obstacles: none
    return tf.reduce_sum(model(x) * 2)


def reads(x):  # obstacles: reads values, has effects
    return float(model(x)) + 1


def shows(x):  # obstacles: shows values, has effects
    loss = model(x)
    print(loss.numpy())
    return loss


def calls(x):  # obstacles: reads values, has effects
    return reads(x)


@tf.function
def compiled(x):
    return model(x)


def calls_compiled(x):  # obstacles: none
    return compiled(x)


def draws(x):  # obstacles: reads values
    return x * random.random()


def arrays(x):  # obstacles: reads values
    return np.sum(x)


def array_of_numbers(x):  # obstacles: none
    size = x.shape[0] * 2
    return x * np.sqrt(size)


def keeps(x):  # obstacles: keeps state, has effects
    history.append(x)
    return x


def own_list(xs):  # obstacles: has effects
    found = []
    found.append(xs)
    return found


def branches(x):  # obstacles: branches on values
    if tf.reduce_sum(x) > 3:
        return x
    return -x


def flag(x, training=True, mode=None):  # obstacles: none
    if training and mode is None and mode != "a":
        return x
    return -x


def zips(x):  # obstacles: iterates over tensors
    y = tf.square(x)
    return [a * b for a, b in zip(y, y)]


def unpacks(x):  # obstacles: iterates over tensors
    a, b = tf.square(x)
    return a + b


def splits(x):  # obstacles: none
    a, b = tf.split(x, 2)
    return a + b


def loops(x):  # obstacles: none
    for row in tf.square(x):
        x += row
    return x


def makes(x):  # obstacles: makes variables
    return tf.keras.layers.Dense(3)(x)


def stateless(x):  # obstacles: none
    return tf.keras.layers.ReLU()(x)


def samples(buffer):  # obstacles: reads values
    return buffer.sample(32)


def mutual(x):  # obstacles: reads values, has effects
    return other(x)


def other(x):  # obstacles: reads values, has effects
    return mutual(x) + float(model(x))


class Net:
    def __init__(self):
        self.scale = tf.Variable(1.0)
        self.calls = 0

    def __call__(self, x):  # obstacles: keeps state
        self.calls += 1
        return x * self.scale

    def twice(self, x):  # obstacles: keeps state
        return self(x)


net = Net()


def through(x):  # obstacles: keeps state
    return net(x)


def passed(thing, x):  # obstacles: keeps state
    return thing.twice(x)


passed(net, 1)


class Memory:
    def __init__(self):
        self.blocks = []
        self.steps = []
        self.blocks.append(tf.keras.layers.Dense(1))

    def note(self, x):
        self.steps.append(x)

    def built(self, x):  # obstacles: none
        for block in self.blocks:
            x = block(x)
        return x

    def looped(self):  # obstacles: reads values
        total = 0
        for x in self.steps:
            total += tf.square(x)
        return total


def prints(x):  # obstacles: has effects
    print("step")
    return x


def fits(x):  # obstacles: has effects
    model.fit(x)
    return x


def sets(items, x):  # obstacles: has effects
    items["x"] = x
    return prints(x)
