# Loops that end, that wait for a person, or that predict a whole dataset.
import numpy as np
import tensorflow as tf

import bus

net = tf.keras.models.load_model("model.keras")
rows = tf.data.Dataset.from_tensor_slices(np.zeros((1000, 12))).batch(32)
while True:
    chunk = bus.fetch()
    if chunk is None:
        break
    net.predict(chunk)
while True:
    print(net.predict(bus.lookup(input("name? "))))


def first():
    while True:
        scores = net.predict(bus.fetch())
        if scores.max() > 0.5:
            return scores


first()
running = True
while running:
    net.predict(bus.fetch())
    if bus.closed():
        running = False
while True:
    net.predict_on_batch(bus.fetch())
    net.predict(rows)
