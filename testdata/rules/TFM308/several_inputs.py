# A model of two inputs is given a list of them; what makes them of lists of one example is
# given one, and the first of its predictions is all that is read.
import numpy as np
import tensorflow as tf
from helpers import to_array

a, b = tf.keras.Input((8,)), tf.keras.Input((8,))
model = tf.keras.Model([a, b], tf.keras.layers.Dense(4)(tf.keras.layers.Add()([a, b])))


class Segmenter:
    def split(self, text):
        ids = [ord(c) for c in text]
        ids, kinds = to_array([ids], [[0] * len(ids)])
        return model.predict([ids, kinds])[0].argmax()  # want "loop on line 21"


def evaluate(texts):
    segmenter = Segmenter()
    total = 0
    for text in texts:
        total += segmenter.split(text)
    return total


def sample(ids, steps):
    for step in range(steps):
        ids[step] = 0
        ids[step] = np.argmax(model.predict(to_array([ids], [ids]))[0, step])  # want "loop on line 27"


def pairs(left, right):
    for x, y in zip(left, right):
        yield model.predict([np.expand_dims(x, 0), y[None]])  # want "loop on line 33"


print(evaluate(open("texts")), sample([1] * 100, 100), list(pairs(np.load("l.npy"), np.load("r.npy"))))
