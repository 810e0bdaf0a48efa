import random

import numpy as np
import tensorflow as tf

x = np.ones((8, 4), "float32")
models, losses, best = [], {}, 1e9
with open("trials.txt") as f:
    lines = f.readlines()


def train(units):
    model = tf.keras.Sequential([tf.keras.layers.Dense(units)])
    model.compile("sgd", "mse")
    model.fit(x, x)
    return model


for units in (1, 2):
    models.append(train(units))  # <- here not "models, which is changed on line 20, would only be changed in the other process"

for units in (1, 2):
    losses[units] = train(units).evaluate(x, x)  # <- here not "losses, which is changed on line 23"

for units in (1, 2):
    best = min(best, train(units).evaluate(x, x))  # <- here not "best on line 26 may be what an earlier iteration left"

for units in (1, 2):
    history = train(units).fit(x, x)  # <- here not "history is read on line 30, and it is not known whether the other process can send it back"
    print(history.history)

for units in (1, 2):
    if random.random() > 0.5:
        break
    train(units)  # <- here not "break on line 34 would leave the function instead of the loop"

for line in lines:
    train(len(line))  # <- here not "it is not known whether line can be passed to another process"

while best > 0.1:
    train(3)  # <- here not "no plain for loop"

for units in (1, 2):
    print(units)  # <- here not "no model is known"

for units in (1, 2):
    train(units)  # <- here not "what follows on line 50 cannot stay out of that"


def report():
    print(losses)
